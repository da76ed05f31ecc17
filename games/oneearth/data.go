package oneearth

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"earthgym/env"
)

//go:embed data.toml
var builtIn []byte

//go:embed HOWTO.md
var howTo string

//go:embed story.toml
var storyWords []byte

// StoryWords is the catalogue of the story.
func (g *Game) StoryWords() []byte { return storyWords }

// dataFile is the form of data.toml.
type dataFile struct {
	Game         string          `toml:"game"`
	Projects     []projectRow    `toml:"projects"`
	Technologies []technologyRow `toml:"technologies"`
	Policies     []policyRow     `toml:"policies"`
	Warnings     []eventRow      `toml:"warnings"`
	Criticals    []eventRow      `toml:"criticals"`
	Resolutions  []resolutionRow `toml:"resolutions"`
	Leaders      []leaderRow     `toml:"leaders"`
	Automa       []automaRow     `toml:"automa"`
	Constants    Constants       `toml:"constants"`
}

type projectRow struct {
	ID         string `toml:"id"`
	Name       string `toml:"name"`
	Sector     string `toml:"sector"`
	Count      int    `toml:"count"`
	Cost       int    `toml:"cost"`
	Prosperity int    `toml:"prosperity"`
	Emissions  int    `toml:"emissions"`
	Tech       string `toml:"tech"`
	DP         int    `toml:"dp"`
	DE         int    `toml:"de"`
}

type technologyRow struct {
	ID   string `toml:"id"`
	Name string `toml:"name"`
	Cost int    `toml:"cost"`
}

type policyRow struct {
	ID        string `toml:"id"`
	Name      string `toml:"name"`
	Cost      int    `toml:"cost"`
	Reduction int    `toml:"reduction"`
}

type eventRow struct {
	ID   string    `toml:"id"`
	Name string    `toml:"name"`
	All  effectRow `toml:"all"`
	High effectRow `toml:"high"`
	Low  effectRow `toml:"low"`
}

type effectRow struct {
	Prosperity int `toml:"prosperity"`
	Money      int `toml:"money"`
	Income     int `toml:"income"`
}

type resolutionRow struct {
	ID    string   `toml:"id"`
	Name  string   `toml:"name"`
	Kind  string   `toml:"kind"`
	Types []string `toml:"types"`
}

type leaderRow struct {
	ID      string `toml:"id"`
	Name    string `toml:"name"`
	Ability int    `toml:"ability"`
	Bonus   int    `toml:"bonus"`
}

type automaRow struct {
	ID     string `toml:"id"`
	Group  string `toml:"group"`
	Slots  []int  `toml:"slots"`
	Tech   bool   `toml:"tech"`
	Policy bool   `toml:"policy"`
	G2     int    `toml:"g2"`
	G1     int    `toml:"g1"`
	P1     int    `toml:"p1"`
	VP     int    `toml:"vp"`
}

// Constants are the numbers of the rules that stand on no card. data.toml says what each is.
type Constants struct {
	MoneyStandard       int   `toml:"money_standard"`
	MoneyAdvanced       int   `toml:"money_advanced"`
	Tokens              int   `toml:"tokens"`
	StartGlobalTwo      int   `toml:"start_global_two"`
	StartGlobalEasy     int   `toml:"start_global_easy"`
	StartGlobalMedium   int   `toml:"start_global_medium"`
	StartGlobalHard     int   `toml:"start_global_hard"`
	ProjectsPerTurn     int   `toml:"projects_per_turn"`
	TechnologiesPerTurn int   `toml:"technologies_per_turn"`
	PoliciesPerTurn     int   `toml:"policies_per_turn"`
	RefreshPrice        int   `toml:"refresh_price"`
	SanctionCap         int   `toml:"sanction_cap"`
	CompensationLess    int   `toml:"compensation_less"`
	NoGain              int   `toml:"no_gain"`
	MarsNeeded          int   `toml:"mars_needed"`
	MarsShare           int   `toml:"mars_share"`
	MarsGain            int   `toml:"mars_gain"`
	AidThreshold        int   `toml:"aid_threshold"`
	AidTransfer         int   `toml:"aid_transfer"`
	EmissionAllowance   int   `toml:"emission_allowance"`
	WarningFrom         int   `toml:"warning_from"`
	CriticalFrom        int   `toml:"critical_from"`
	WinBelow            int   `toml:"win_below"`
	Ruin                int   `toml:"ruin"`
	EmissionPenaltyFrom int   `toml:"emission_penalty_from"`
	TechnologyVP        int   `toml:"technology_vp"`
	PolicyVP            int   `toml:"policy_vp"`
	TriggerVP           int   `toml:"trigger_vp"`
	Livability          []int `toml:"livability"`
	SoloPenaltyFrom     int   `toml:"solo_penalty_from"`
	SoloPenaltyTwoFrom  int   `toml:"solo_penalty_two_from"`
	NPCProsperity       int   `toml:"npc_prosperity"`
	NPCManufacturingVP  int   `toml:"npc_manufacturing_vp"`
	TargetOne           int   `toml:"target_one"`
	TargetTwo           int   `toml:"target_two"`
	TargetThree         int   `toml:"target_three"`
	TargetFour          int   `toml:"target_four"`
	TargetFive          int   `toml:"target_five"`
	TargetFourEasy      int   `toml:"target_four_easy"`
	TargetStandardThree int   `toml:"target_standard_three"`
	TargetStandardFour  int   `toml:"target_standard_four"`
	TargetStandardFive  int   `toml:"target_standard_five"`
	MaxRefreshes        int   `toml:"max_refreshes"`
	MaxAmount           int   `toml:"max_amount"`
	MaxPledge           int   `toml:"max_pledge"`
}

// ProjectCard is what is printed on a Project. A type that the data file leaves out has no copies.
type ProjectCard struct {
	Name       string
	Sector     Sector
	Copies     int
	Cost       int
	Prosperity int
	Emissions  int
	Technology Technology // the one that upgrades it, or NoTechnology
	DP, DE     int        // what the upgrade changes
}

// TechnologyCard is what is printed on a Technology, and the Projects that it upgrades.
type TechnologyCard struct {
	Name  string
	Cost  int
	Fits  Projects
	InBox bool // false if the data file leaves it out
}

// PolicyCard is what is printed on a Climate Policy.
type PolicyCard struct {
	Name      string
	Cost      int
	Reduction int // steps of Emissions
	InBox     bool
}

// Effect is what an event does to a seat.
type Effect struct{ Prosperity, Money, Income int }

// EventCard is what is printed on an event: for all seats, and in addition for the highest and the
// lowest emitters.
type EventCard struct {
	Name           string
	All, High, Low Effect
	InBox          bool
}

// ResolutionCard is what is printed on a Resolution: the Projects that it bans or favours, and those
// that it puts at a disadvantage.
type ResolutionCard struct {
	Name        string
	Plus, Minus Projects
	InBox       bool
}

// LeaderCard is what is printed on a Leader.
type LeaderCard struct {
	Name    string
	Ability int
	Bonus   int
	InBox   bool
}

// AutomaCard is what is printed on an Automa card.
type AutomaCard struct {
	Group      int   // 0 to 2
	Slots      uint8 // bit i: place i of the row
	Technology bool  // a random Technology is discarded
	Policy     bool  // a random Policy is discarded
	G2, G1, P1 int
	VP         int
	InBox      bool
}

// Components is everything printed, by id.
type Components struct {
	Projects     [NumProjects]ProjectCard
	Technologies [NumTechnologies]TechnologyCard
	Policies     [NumPolicies]PolicyCard
	Warnings     [NumWarnings]EventCard
	Criticals    [NumCriticals]EventCard
	Resolutions  [NumResolutions]ResolutionCard
	Leaders      [NumLeaders]LeaderCard
	Automa       [NumAutoma]AutomaCard
	Sectors      [NumSectors]Projects // the types of each
	Constants    Constants
}

// reader checks a decoded data file and keeps the first error.
type reader struct {
	lines *env.Lines
	err   error
}

func (r *reader) fail(path, format string, args ...any) {
	if r.err == nil {
		r.err = r.lines.Errorf(path, format, args...)
	}
}

// id is the place of an id of a row; a second row for it is an error. It is 0 after an error, so that
// checking can go on.
func (r *reader) id(list string, row int, ids []string, id string, used bool) int {
	path := fmt.Sprintf("%s.%d.id", list, row)
	i := find(ids, id)
	switch {
	case i < 0:
		r.fail(path, "unknown id %q in %s: %s", id, list, env.Suggest(id, ids))
		return 0
	case used:
		r.fail(path, "%q is listed twice in %s", id, list)
	}
	return i
}

// within checks the number at a path.
func (r *reader) within(path, what string, n, low, high int) {
	if n < low || n > high {
		r.fail(path, "%s %d is not in %d to %d", what, n, low, high)
	}
}

func (r *reader) named(path, name string) {
	if name == "" || len(name) > 60 || strings.ContainsAny(name, "\n\r\t") {
		r.fail(path, "a name is one line of 1 to 60 bytes, not %q", name)
	}
}

// readComponents decodes and checks a data file. The hash is over what it says.
func readComponents(d env.DataFile) (*Components, *env.Lines, string, error) {
	var f dataFile
	lines, err := d.Decode(&f)
	if err != nil {
		return nil, nil, "", err
	}
	r := &reader{lines: lines}
	c := &Components{Constants: f.Constants}
	r.technologies(c, f.Technologies)
	r.projects(c, f.Projects)
	r.policies(c, f.Policies)
	r.events(c, &f)
	r.resolutions(c, f.Resolutions)
	r.leaders(c, f.Leaders)
	r.constants(&c.Constants)
	r.automa(c, f.Automa)
	return c, lines, env.DataHash(f), r.err
}

func (r *reader) technologies(c *Components, rows []technologyRow) {
	for i, row := range rows {
		path := fmt.Sprintf("technologies.%d", i)
		k := find(technologyIDs[:], row.ID)
		k = r.id("technologies", i, technologyIDs[:], row.ID, k >= 0 && c.Technologies[k].InBox)
		r.named(path+".name", row.Name)
		r.within(path+".cost", row.ID+": cost", row.Cost, 0, 20)
		c.Technologies[k] = TechnologyCard{Name: row.Name, Cost: row.Cost, InBox: true}
	}
}

func (r *reader) projects(c *Components, rows []projectRow) {
	var listed Projects
	copies := 0
	for i := range c.Projects {
		c.Projects[i].Technology = NoTechnology
	}
	for i, row := range rows {
		path := fmt.Sprintf("projects.%d", i)
		x := Project(find(projectIDs[:], row.ID))
		x = Project(r.id("projects", i, projectIDs[:], row.ID, listed.Has(x)))
		listed |= 1 << x
		r.named(path+".name", row.Name)
		r.within(path+".count", row.ID+": count", row.Count, 0, 20)
		r.within(path+".cost", row.ID+": cost", row.Cost, 0, 20)
		r.within(path+".prosperity", row.ID+": prosperity", row.Prosperity, 0, 9)
		r.within(path+".emissions", row.ID+": emissions", row.Emissions, 0, 20)
		r.within(path+".dp", row.ID+": dp", row.DP, 0, 9)
		r.within(path+".de", row.ID+": de", row.DE, -20, 0)
		if row.Emissions+row.DE < 0 {
			r.fail(path+".de", "%s: upgraded emissions would be %d; they cannot fall below 0", row.ID, row.Emissions+row.DE)
		}
		sector := find(sectorIDs[:], row.Sector)
		if sector < 0 {
			r.fail(path+".sector", "%s: unknown sector %q: %s", row.ID, row.Sector, env.Suggest(row.Sector, sectorIDs[:]))
			sector = 0
		}
		t := NoTechnology
		if row.Tech != "" {
			t = Technology(find(technologyIDs[:], row.Tech))
			if t < 0 || !c.Technologies[t].InBox {
				r.fail(path+".tech", "%s: there is no Technology %q: %s", row.ID, row.Tech, env.Suggest(row.Tech, technologyIDs[:]))
				t = NoTechnology
			}
		}
		if t >= 0 {
			c.Technologies[t].Fits |= 1 << x
		}
		c.Sectors[sector] |= 1 << x
		c.Projects[x] = ProjectCard{row.Name, Sector(sector), row.Count, row.Cost, row.Prosperity, row.Emissions, t, row.DP, row.DE}
		copies += row.Count
	}
	if least := RowSize + MaxPlayers + 1; copies < least || copies > 100 {
		r.fail("projects", "%d Projects in all; there must be %d to 100", copies, least)
	}
}

func (r *reader) policies(c *Components, rows []policyRow) {
	for i, row := range rows {
		path := fmt.Sprintf("policies.%d", i)
		k := find(policyIDs[:], row.ID)
		k = r.id("policies", i, policyIDs[:], row.ID, k >= 0 && c.Policies[k].InBox)
		r.named(path+".name", row.Name)
		r.within(path+".cost", row.ID+": cost", row.Cost, 0, 20)
		r.within(path+".reduction", row.ID+": reduction", row.Reduction, 0, 9)
		c.Policies[k] = PolicyCard{row.Name, row.Cost, row.Reduction, true}
	}
}

func (r *reader) events(c *Components, f *dataFile) {
	r.eventRows("warnings", f.Warnings, warningIDs[:], c.Warnings[:])
	for i, row := range f.Warnings {
		path := fmt.Sprintf("warnings.%d", i)
		if row.All.Prosperity != 0 || row.All.Money != 0 || row.High != (effectRow{}) || row.Low != (effectRow{}) {
			r.fail(path, "%s: a Warning Event changes the income of all, and nothing else", row.ID)
		}
	}
	r.eventRows("criticals", f.Criticals, criticalIDs[:], c.Criticals[:])
	for i, row := range f.Criticals {
		path := fmt.Sprintf("criticals.%d", i)
		if row.All.Income != 0 || row.High.Income != 0 || row.Low.Income != 0 {
			r.fail(path, "%s: a Critical Event changes Prosperity and money, not income", row.ID)
		}
	}
}

func (r *reader) eventRows(list string, rows []eventRow, ids []string, cards []EventCard) {
	if len(rows) == 0 {
		r.fail(list, "%s: there must be at least one", list)
	}
	for i, row := range rows {
		path := fmt.Sprintf("%s.%d", list, i)
		k := find(ids, row.ID)
		k = r.id(list, i, ids, row.ID, k >= 0 && cards[k].InBox)
		r.named(path+".name", row.Name)
		card := EventCard{Name: row.Name, InBox: true}
		for _, part := range []struct {
			name string
			from effectRow
			to   *Effect
		}{{"all", row.All, &card.All}, {"high", row.High, &card.High}, {"low", row.Low, &card.Low}} {
			at := path + "." + part.name
			r.within(at+".prosperity", row.ID+": prosperity", part.from.Prosperity, -9, 9)
			r.within(at+".money", row.ID+": money", part.from.Money, -20, 20)
			r.within(at+".income", row.ID+": income", part.from.Income, -9, 9)
			*part.to = Effect(part.from)
		}
		cards[k] = card
	}
}

func (r *reader) resolutions(c *Components, rows []resolutionRow) {
	for i, row := range rows {
		path := fmt.Sprintf("resolutions.%d", i)
		k := find(resolutionIDs[:], row.ID)
		k = r.id("resolutions", i, resolutionIDs[:], row.ID, k >= 0 && c.Resolutions[k].InBox)
		r.named(path+".name", row.Name)
		kind := resolutionKinds[k]
		if row.Kind != kind {
			r.fail(path+".kind", "%s is of kind %q, not %q", row.ID, kind, row.Kind)
		}
		card := ResolutionCard{Name: row.Name, InBox: true}
		for j, word := range row.Types {
			at := fmt.Sprintf("%s.types.%d", path, j)
			set := &card.Plus
			if kind == "shift" {
				sign := word[:min(1, len(word))]
				if sign != "+" && sign != "-" {
					r.fail(at, "%s names each Project with + or -, not %q", row.ID, word)
					continue
				}
				if sign == "-" {
					set = &card.Minus
				}
				word = word[1:]
			}
			x := Project(find(projectIDs[:], word))
			if x < 0 {
				r.fail(at, "%s: unknown Project %q: %s", row.ID, word, env.Suggest(word, projectIDs[:]))
				continue
			}
			if (card.Plus | card.Minus).Has(x) {
				r.fail(at, "%s names %s twice", row.ID, x)
			}
			*set |= 1 << x
		}
		if len(row.Types) > 0 && !slices.Contains([]string{"ban", "introduce", "shift"}, kind) {
			r.fail(path+".types", "%s concerns no Projects", row.ID)
		}
		c.Resolutions[k] = card
	}
}

func (r *reader) leaders(c *Components, rows []leaderRow) {
	for i, row := range rows {
		path := fmt.Sprintf("leaders.%d", i)
		k := find(leaderIDs[:], row.ID)
		k = r.id("leaders", i, leaderIDs[:], row.ID, k >= 0 && c.Leaders[k].InBox)
		r.named(path+".name", row.Name)
		most := 9
		if l := Leader(k); l == Diplomat || l == General {
			most = 1
		}
		r.within(path+".ability", row.ID+": ability", row.Ability, 0, most)
		r.within(path+".bonus", row.ID+": bonus", row.Bonus, 0, 20)
		c.Leaders[k] = LeaderCard{row.Name, row.Ability, row.Bonus, true}
	}
}

func (r *reader) automa(c *Components, rows []automaRow) {
	prosperity := 0
	for i, row := range rows {
		path := fmt.Sprintf("automa.%d", i)
		k := find(automaIDs[:], row.ID)
		k = r.id("automa", i, automaIDs[:], row.ID, k >= 0 && c.Automa[k].InBox)
		group := find(automaGroups[:], row.Group)
		if group < 0 {
			r.fail(path+".group", "%s: group %q is not I, II or III", row.ID, row.Group)
		}
		card := AutomaCard{Group: group, Technology: row.Tech, Policy: row.Policy, G2: row.G2, G1: row.G1, P1: row.P1, VP: row.VP, InBox: true}
		if len(row.Slots) == 0 {
			r.fail(path+".slots", "%s: a card lists at least one slot", row.ID)
		}
		for _, slot := range row.Slots {
			r.within(path+".slots", row.ID+": slot", slot, 1, RowSize)
			if slot >= 1 && slot <= RowSize {
				if card.Slots>>(slot-1)&1 != 0 {
					r.fail(path+".slots", "%s lists slot %d twice", row.ID, slot)
				}
				card.Slots |= 1 << (slot - 1)
			}
		}
		r.within(path+".g2", row.ID+": g2", row.G2, -9, 9)
		r.within(path+".g1", row.ID+": g1", row.G1, -9, 9)
		r.within(path+".p1", row.ID+": p1", row.P1, 0, 20)
		r.within(path+".vp", row.ID+": vp", row.VP, 0, 20)
		prosperity += row.P1
		c.Automa[k] = card
	}
	if least := c.Constants.NPCProsperity; prosperity < least {
		r.fail("automa", "the p1 of all Automa cards add up to %d; the NPC must be able to reach %d", prosperity, least)
	}
}

func (r *reader) constants(c *Constants) {
	for _, n := range []struct {
		name      string
		value     int
		low, high int
	}{
		{"money_standard", c.MoneyStandard, 0, 50},
		{"money_advanced", c.MoneyAdvanced, 0, 50},
		{"tokens", c.Tokens, 0, 9},
		{"start_global_two", c.StartGlobalTwo, 0, c.Ruin - 1},
		{"start_global_easy", c.StartGlobalEasy, 0, c.Ruin - 1},
		{"start_global_medium", c.StartGlobalMedium, 0, c.Ruin - 1},
		{"start_global_hard", c.StartGlobalHard, 0, c.Ruin - 1},
		{"projects_per_turn", c.ProjectsPerTurn, 1, 6},
		{"technologies_per_turn", c.TechnologiesPerTurn, 0, 6},
		{"policies_per_turn", c.PoliciesPerTurn, 0, 6},
		{"refresh_price", c.RefreshPrice, 0, 20},
		{"sanction_cap", c.SanctionCap, 0, 50},
		{"compensation_less", c.CompensationLess, 0, 20},
		{"no_gain", c.NoGain, 0, 20},
		{"mars_needed", c.MarsNeeded, 1, 40},
		{"mars_share", c.MarsShare, 1, c.MaxPledge},
		{"mars_gain", c.MarsGain, 0, 9},
		{"aid_threshold", c.AidThreshold, 0, 99},
		{"aid_transfer", c.AidTransfer, 0, 50},
		{"emission_allowance", c.EmissionAllowance, 0, 99},
		{"warning_from", c.WarningFrom, 0, c.CriticalFrom},
		{"critical_from", c.CriticalFrom, 0, c.Ruin},
		{"win_below", c.WinBelow, 0, c.Ruin},
		{"ruin", c.Ruin, 10, 99},
		{"emission_penalty_from", c.EmissionPenaltyFrom, 0, 99},
		{"technology_vp", c.TechnologyVP, 0, 20},
		{"policy_vp", c.PolicyVP, 0, 20},
		{"trigger_vp", c.TriggerVP, 0, 20},
		{"solo_penalty_from", c.SoloPenaltyFrom, 0, 99},
		{"solo_penalty_two_from", c.SoloPenaltyTwoFrom, c.SoloPenaltyFrom, 99},
		{"npc_prosperity", c.NPCProsperity, 1, 99},
		{"npc_manufacturing_vp", c.NPCManufacturingVP, 0, 20},
		{"target_one", c.TargetOne, 5, 60},
		{"target_two", c.TargetTwo, 5, 60},
		{"target_three", c.TargetThree, 5, 60},
		{"target_four", c.TargetFour, 5, 60},
		{"target_five", c.TargetFive, 5, 60},
		{"target_four_easy", c.TargetFourEasy, 5, 60},
		{"target_standard_three", c.TargetStandardThree, 5, 60},
		{"target_standard_four", c.TargetStandardFour, 5, 60},
		{"target_standard_five", c.TargetStandardFive, 5, 60},
		{"max_refreshes", c.MaxRefreshes, 0, 5},
		{"max_amount", c.MaxAmount, 1, maxAmount},
		{"max_pledge", c.MaxPledge, 1, maxAmount},
	} {
		r.within("constants."+n.name, n.name, n.value, n.low, n.high)
	}
	if len(c.Livability) != NumSectors+1 {
		r.fail("constants.livability", "livability has %d numbers; it needs %d, for 0 to %d sectors", len(c.Livability), NumSectors+1, NumSectors)
	}
	for i, vp := range c.Livability {
		r.within(fmt.Sprintf("constants.livability.%d", i), "livability", vp, -50, 50)
	}
}
