package earthman

import (
	"encoding/json"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
)

// stages of RULES.md 3.3, as patches on the set-up of two seats with option first = 0.
const (
	atFleetWorld = `"phase":"fleet","point":"fleet_world","seat":0`
	atJobs       = `"phase":"fleet","point":"fleet_jobs","seat":0,"fleet":[{"mars":[3,1]},{"mars":[1,0]}],`
	inFire       = `"phase":"fleet","fleet":[{"mars":[5,0]},{"mars":[1,1]}],"region":{"mars":{"5":{"owner":1,"devs":1}}},`
)

// impossible positions: a patch, and what is wrong with it (RULES.md 3.4).
var impossiblePositions = []struct{ patch, want string }{
	{`"round":0`, "round: 0 is not in 1 to 60"},
	{`"first":1`, "first: 1 is not in 0 to 0"},
	{`"actor":2`, "actor: 2 is not in 0 to 1"},
	{`"phase":"fly"`, `phase: unknown word "fly"`},
	{`"phase":"over"`, `over: it is empty in phase "over"`},
	{`"over":"peace"`, `over: "peace" with winners [] in phase "move"`},
	{`"phase":"over","point":"","seat":-1,"over":"points","winners":[0]`, "winners: [0]; the highest VP wins (EB-260)"},
	{`"phase":"over","point":"","seat":-1,"over":"peace","winners":[0]`, `winners: [0] with over = "peace"`},
	{`"phase":"over","point":"","seat":-1,"over":"skynet","winners":[]`, "with 0 Rogue symbols (EB-271)"},
	{`"decisions":20000`, "decisions: 20000; the game ends after 20000 (EB-333)"},
	{`"undrawn":[3]`, "undrawn: the game is played without Skynet (EB-023)"},
	{`"vp":[0]`, "vp: 1 elements; there must be 2"},
	{`"e":[-1,3]`, "e.0: -1 is not in 0 to 1000000000"},
	{`"e":[2.5,3]`, "e.0: 2.5 is not a whole number from 0 to 1000000000"},
	{`"e":null`, "e: null is not a list"},
	{`"token":[2,0]`, "token.0: 2 resource, but there is no Sanctions token"},
	{`"token":[5,0],"sanction":[true,false]`, "token.0: 5 is not in 0 to 4"},
	{`"aside":[0,3]`, "aside.1: 3; fleets are aside only from Political Influence to the end of Espionage (EB-184)"},
	{`"claims_left":[2,1]`, "claims_left.0: 2 is not in 0 to 1"},
	{`"level":[{"launch":2},{}]`, "level.0.launch: 2 is not in 0 to 1"},
	{`"level":[{"warp":2},{}]`, `unknown field level.0.warp`},
	{`"counter":[{"attack":5},{}]`, "counter.0.attack: 5 is not in 0 to 4"},
	{`"level":[{"launch":1},{}],"counter":[{"launch":1},{}]`, "counter.0.launch: 1, but the technology is complete"},
	{`"pi":[["mars"],[]]`, `pi.0: "mars"; Political Influence needs own developments (EB-205)`},
	{`"fleet":[{"mars":[61,0]},{}]`, "fleet.0.mars.0: 61 is not in 0 to 60"},
	{`"fleet":[{"mars":[40,0],"luna":[21,0]},{}]`, "fleet.0: 61 fleets are more than 60 (EB-320)"},
	{`"fleet":[{"pluto":[1,0]},{}]`, `unknown field fleet.0.pluto`},
	{`"fleet":[{"mars":[1]},{}]`, "fleet.0.mars: 1 elements; there must be 2"},
	{`"arrived":{"mars":[1,0]}`, "arrived.mars: [1 0]; these are fleets in orbit that have arrived in this Movement " +
		"(EB-063)"},
	{`"region":{"mars":{"4":{"owner":0}}}`, "region.mars.4: 0 developments of owner 0; a region has an owner exactly " +
		"if it has developments (EB-006)"},
	{`"region":{"mars":{"1":{"owner":0,"devs":1}}}`, "region.mars.1: developments and Devastation never lie together " +
		"(EB-006)"},
	{`"region":{"mars":{"4":{"at_risk":true}}}`, "region.mars.4.at_risk: a region without developments is not At Risk " +
		"(EB-005)"},
	{`"region":{"mars":{"4":{"owner":0,"devs":5}}}`, "region.mars.4.devs: 5 is not in 0 to 4"},
	{`"region":{"mars":{"1":{"devastation":3}}}`, "region.mars.1.devastation: 3 is not in 0 to 2"},
	{`"point":"raze"`, `point: "raze" does not come up in phase "move", step ""`},
	{`"seat":1`, `seat: 1 is not asked at point "launch"`},
	{`"pending":{"extra":0}`, "pending.extra: 0 is not in -1 to -1 (EB-061)"},
	{`"pending":{"left":3}`, `pending.left: it is not empty in phase "move", step "launch"`},
	{`"pending":{"worlds":["venus","mercury"]}`, `pending.worlds.1: "mercury" comes after a later one; they are in order`},
	{`"pay":{"seat":0,"due":2}`, `pay.seat: 0 at point "launch"`},
	{`"lot":{"event":"fire"}`, `lot.event: "fire" outside "thought"`},
	{`"fleet":[{"mars-approach":[1,0]},{"earth":[1,0]}],"arrived":{}`,
		`point: "launch" has 1 legal actions; a position is read where there is a choice (EB-007)`},
	{`"phase":"prelude","point":"prelude","seat":0,"pending":{"pass":1}`,
		`phase: "prelude" does not come up now in this game`},
	{`"phase":"spy","point":"spy","seat":0`, `phase: "spy" does not come up now in this game`},
	{`"phase":"accord","point":"accord","seat":0`, `phase: "accord" does not come up now in this game`},
	{`"phase":"assist","point":"assist","seat":0,"sanction":[true,false]`,
		`phase: "assist" does not come up now in this game`},
	{atFleetWorld + `,"fleet":[{"mars-approach":[1,0]},{}]`, "has 1 legal actions"},
	{atJobs + `"pending":{"step":"jobs","at":"luna","worlds":["luna"]}`, `but no fleet is without a job`},
	{atJobs + `"pending":{"step":"jobs","at":"mars","worlds":["luna"]}`,
		`pending.worlds: "mars", the world in hand, is not among those chosen`},
	{atJobs + `"pending":{"step":"jobs","at":"mars","worlds":["mars"],"pacify":5,"last":"pacify"}`,
		"5 fleets have jobs at \"mars\", where the actor has [3 1] (EB-091)"},
	{atJobs + `"pending":{"step":"jobs","at":"mars","worlds":["mars"],"pacify":2}`,
		`pending.last: ""; by what is nominated it is "pacify"`},
	{atJobs + `"pending":{"step":"jobs","at":"mars","worlds":["mars"],"last":"fire","fire":[[-2,1,0]]}`,
		"which is no target at \"mars\""},
	{atJobs + `"pending":{"step":"jobs","at":"mars","worlds":["mars"],"last":"fire","fire":[[0,1,0]]}`,
		"pending.fire: 0 is no target of the actor, seat 0"},
	{atJobs + `"pending":{"step":"jobs","at":"solar","worlds":["mars"]}`,
		`pending.at: "solar"; it is no place of step "jobs"`},
	{inFire + `"point":"raze","seat":1,"pending":{"step":"fire","at":"mars","worlds":["mars"]}`,
		`pending.target: it is empty at point "raze"`},
	{inFire + `"point":"raze","seat":0,"pending":{"step":"fire","at":"mars","worlds":["mars"],"target":1}`,
		`seat: 0 is not asked at point "raze"`},
	{inFire + `"point":"lose_fleets","seat":1,"pending":{"step":"fire","at":"mars","worlds":["mars"],"target":1}`,
		`pending.count: it is empty at point "lose_fleets"`},
	{inFire + `"point":"forfeit","seat":1,"pending":{"step":"fire","at":"mars","worlds":["mars"],"target":1}`,
		`pay.seat: -1 at point "forfeit"`},
	{
		inFire +
			`"point":"forfeit","seat":0,"pending":{"step":"fire","at":"mars","worlds":["mars"],"target":1},"pay":{"seat":0,"due":2}`, "pay.seat: 0; who loses a region here pays (EB-206)"},
	{
		inFire +
			`"point":"thought","seat":1,"thoughts":[0,1],"pending":{"step":"fire","at":"mars","worlds":["mars"],"target":1},"lot":{"event":"fire","roller":0,"hurt":[1],"need":4,"bounds":[4,4],"dice":[5]}`, "lot.need: 4 with bounds [4 4]; by the rules 5 with [5 5]"},
	{
		inFire +
			`"point":"thought","seat":1,"thoughts":[0,1],"pending":{"step":"fire","at":"mars","worlds":["mars"],"target":1},"lot":{"event":"fire","roller":0,"hurt":[1],"need":5,"bounds":[5,5],"dice":[7]}`, "lot.dice.0: 7, but a 6 is rolled again only where 7 or more is needed (EB-015)"},
	{
		inFire +
			`"point":"thought","seat":1,"pending":{"step":"fire","at":"mars","worlds":["mars"],"target":1},"lot":{"event":"fire","roller":0,"hurt":[1],"need":5,"bounds":[5,5],"dice":[5]}`, "lot.passed: []; these are seats with Thoughts that have been asked, and another has still to answer (EB-251)"},
	{
		inFire +
			`"point":"thought","seat":1,"thoughts":[1,1],"pending":{"step":"fire","at":"mars","worlds":["mars"],"target":1},"lot":{"event":"fire","roller":0,"hurt":[1],"need":5,"bounds":[5,5],"dice":[5]}`, `seat: 1 is not asked at point "thought"`},
	{
		inFire +
			`"point":"thought","seat":1,"thoughts":[0,1],"pending":{"step":"fire","at":"mars","worlds":["mars"],"target":1,"hits":[3,3],"fire":[[1,0,1]]},"lot":{"event":"fire","roller":0,"hurt":[1],"need":5,"bounds":[5,5],"dice":[5]}`, "1 fleets have jobs"},
	{
		inFire +
			`"point":"thought","seat":1,"thoughts":[0,1],"pending":{"step":"fire","at":"mars","worlds":["mars"],"target":1,"left":1},"lot":{"event":"fire","roller":0,"hurt":[1],"need":5,"bounds":[5,5],"dice":[5]}`, "pending.left: 1, but the dice that say it lie on the table"},
	{
		inFire +
			`"point":"overthrow_reply","seat":1,"pending":{"step":"overthrow","at":"mars","worlds":["mars"],"target":1,"region":5}`, "pending.region: 5; a region changes hands exactly while its owner pays (EB-123)"},
}

func patched(t *testing.T, s *State, patch string) error {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte("{"+patch+"}"), &fields); err != nil {
		t.Fatalf("%s: %v", patch, err)
	}
	return env.PatchPosition(s, fields)
}

func TestImpossiblePositions(t *testing.T) {
	g := openGame(t, "players=2,first=0")
	fresh := g.New().(*State)
	fresh.Reset(1, nil)
	for _, test := range impossiblePositions {
		s := g.New().(*State)
		s.Reset(1, nil)
		err := patched(t, s, test.patch)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s:\n\tgot  %v\n\twant %s", test.patch, err, test.want)
		}
		if !s.Equal(fresh) {
			t.Errorf("%s has changed the State", test.patch)
		}
	}
}

// The examples that RULES.md 3.4 gives of pending data.
func TestPendingExamples(t *testing.T) {
	g := openGame(t, "players=2,first=0")
	for _, patch := range []string{
		`"phase":"fleet","point":"thought","seat":1,"fleet":[{"mars":[3,0]},{"mars":[2,0]}],"level":[{},{"durability":2}],"thoughts":[0,1],
		 "pending":{"step":"fire","at":"mars","worlds":["mars"],"target":1},"lot":{"event":"fire","roller":0,"hurt":[1],"need":7,"bounds":[7,7],"dice":[7,6,5]}`,
		inFire +
			`"point":"forfeit","seat":1,"pending":{"step":"fire","at":"mars","worlds":["mars"],"target":1},"pay":{"seat":1,"due":3}`,
		`"phase":"fleet","point":"forfeit","seat":1,"fleet":[{"mars":[4,1]},{"luna":[1,0]}],"region":{"mars":{"6":{"owner":1,"devs":2}}},
		 "pending":{"step":"overthrow","at":"mars","worlds":["mars"],"target":1,"region":5},"pay":{"seat":1,"due":2}`,
		`"phase":"risk","point":"forfeit_risk","seat":0,"fleet":[{"mars":[1,0],"luna":[1,1]},{}],"pending":{"step":"regions","at":"mars"},"pay":{"seat":0,"due":0}`,
	} {
		s := g.New().(*State)
		s.Reset(1, nil)
		if err := patched(t, s, patch); err != nil {
			t.Errorf("%s: %v", patch, err)
			continue
		}
		for p := newPlayer(g, 1); s.Actor() != env.Over; s.Apply(p.choose(s), nil) {
			if err := s.Check(); err != nil {
				t.Fatalf("%s: %v", patch, err)
			}
		}
	}
}

// Refusals in the game's own words.
func TestWhy(t *testing.T) {
	g := openGame(t, "players=2,first=0")
	for _, test := range []struct{ patch, action, want string }{
		{`"round":1`, "mars", `there is no own fleet in orbit of mars (EB-080)`},
		{`"round":1`, "outer", "fleets in trajectories are not launched and never move skyward (EB-081)"},
		{`"round":1`, "study", "legal are done, earth"},
		{`"phase":"assist","point":"assist","seat":0,"e":[0,3]`, "fleet", "the Economy Pool is empty; the UN takes no " +
			"discontent (EB-190)"},
		{`"phase":"risk","point":"forfeit","seat":0,"pending":{"step":"regions","at":"mars"},"pay":{"seat":0,"due":1}`, "all",
			"1 resource are due, and the Economy Pool has 3; a single one is paid with resource (EB-206)"},
		{`"phase":"fleet","point":"fleet_world","seat":0,"pending":{"worlds":["mars"]}`, "mars",
			"each world is handled once (EB-090, EB-150)"},
		{atJobs + `"pending":{"step":"jobs","at":"mars","worlds":["mars"],"last":"expand 1","expand":[0,0,1]}`, "fire +1",
			`after "expand 1" this job is closed: jobs are nominated in a fixed order (EB-091)`},
		{atJobs + `"pending":{"step":"jobs","at":"mars","worlds":["mars"]}`, "overthrow +1",
			"that target has no developments on Mars (EB-120)"},
		{atJobs + `"pending":{"step":"jobs","at":"mars","worlds":["mars"]}`, "fire un",
			"that target has neither fleets nor developments at Mars (EB-101)"},
		{atJobs + `"pending":{"step":"jobs","at":"mars","worlds":["mars"]}`, "replicate",
			"Von Neumann Engines are at level 0, which so many fleets use already (EB-140)"},
		{
			`"phase":"dev","point":"dev_jobs","seat":0,"region":{"mars":{"4":{"owner":0,"devs":1}}},"pending":{"step":"jobs","at":"mars","worlds":["mars"]}`, "influence", "Political Influence needs 3 own fleets in orbit of Mars and no own counter there (EB-180)"},
		{
			`"phase":"dev","point":"dev_jobs","seat":0,"region":{"mars":{"4":{"owner":0,"devs":1}}},"pending":{"step":"jobs","at":"mars","worlds":["mars"]}`, "build 2", "developments without a job on Mars: only 1 in steady regions and 0 in regions At Risk (EB-151)"},
		{`"phase":"assist","point":"tech","seat":0,"pending":{"step":"research"}`, "tech ai",
			"Artificial Intelligence needs 3 other technologies (EB-164)"},
		{`"phase":"assist","point":"tech","seat":0,"pending":{"step":"research"}`, "tech vonneumann",
			"Von Neumann Engines needs Nanotechnology or 3 other technologies (EB-164)"},
	} {
		s := g.New().(*State)
		s.Reset(1, nil)
		if err := patched(t, s, test.patch); err != nil {
			t.Errorf("%s: %v", test.patch, err)
			continue
		}
		if text := s.question(); strings.Contains(text, "1 developments") {
			t.Errorf("%s: it asks %q", test.patch, text)
		}
		a := must.Have(g.info.Parse(test.action))(t)
		if why := s.Why(a); !strings.Contains(why, test.want) {
			t.Errorf("%s, %q:\n\tgot  %s\n\twant %s", test.patch, test.action, why, test.want)
		}
	}
}
