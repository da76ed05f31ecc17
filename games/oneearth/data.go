package oneearth

import (
	_ "embed"
	"fmt"
	"slices"

	"earthgym/env/datafile"
	"earthgym/env/spelling"
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
	Count      int    `toml:"count" high:"20"`
	Cost       int    `toml:"cost" high:"20"`
	Prosperity int    `toml:"prosperity" high:"9"`
	Emissions  int    `toml:"emissions" high:"20"`
	Tech       string `toml:"tech"`
	DP         int    `toml:"dp" high:"9"`
	DE         int    `toml:"de" low:"-20" high:"0"`
}

type technologyRow struct {
	ID   string `toml:"id"`
	Name string `toml:"name"`
	Cost int    `toml:"cost" high:"20"`
}

type policyRow struct {
	ID        string `toml:"id"`
	Name      string `toml:"name"`
	Cost      int    `toml:"cost" high:"20"`
	Reduction int    `toml:"reduction" high:"9"`
}

type eventRow struct {
	ID   string    `toml:"id"`
	Name string    `toml:"name"`
	All  effectRow `toml:"all"`
	High effectRow `toml:"high"`
	Low  effectRow `toml:"low"`
}

type effectRow struct {
	Prosperity int `toml:"prosperity" low:"-9" high:"9"`
	Money      int `toml:"money" low:"-20" high:"20"`
	Income     int `toml:"income" low:"-9" high:"9"`
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
	Ability int    `toml:"ability" high:"9"`
	Bonus   int    `toml:"bonus" high:"20"`
}

type automaRow struct {
	ID     string `toml:"id"`
	Group  string `toml:"group"`
	Slots  []int  `toml:"slots" low:"1" high:"6"`
	Tech   bool   `toml:"tech"`
	Policy bool   `toml:"policy"`
	G2     int    `toml:"g2" low:"-9" high:"9"`
	G1     int    `toml:"g1" low:"-9" high:"9"`
	P1     int    `toml:"p1" high:"20"`
	VP     int    `toml:"vp" high:"20"`
}

// Constants are the numbers of the rules that stand on no card. data.toml says what each is.
type Constants struct {
	MoneyStandard       int   `toml:"money_standard" high:"50"`
	MoneyAdvanced       int   `toml:"money_advanced" high:"50"`
	Tokens              int   `toml:"tokens" high:"9"`
	StartGlobalTwo      int   `toml:"start_global_two"`
	StartGlobalEasy     int   `toml:"start_global_easy"`
	StartGlobalMedium   int   `toml:"start_global_medium"`
	StartGlobalHard     int   `toml:"start_global_hard"`
	ProjectsPerTurn     int   `toml:"projects_per_turn" low:"1" high:"6"`
	TechnologiesPerTurn int   `toml:"technologies_per_turn" high:"6"`
	PoliciesPerTurn     int   `toml:"policies_per_turn" high:"6"`
	RefreshPrice        int   `toml:"refresh_price" high:"20"`
	SanctionCap         int   `toml:"sanction_cap" high:"50"`
	CompensationLess    int   `toml:"compensation_less" high:"20"`
	NoGain              int   `toml:"no_gain" high:"20"`
	MarsNeeded          int   `toml:"mars_needed" low:"1" high:"40"`
	MarsShare           int   `toml:"mars_share"`
	MarsGain            int   `toml:"mars_gain" high:"9"`
	AidThreshold        int   `toml:"aid_threshold" high:"99"`
	AidTransfer         int   `toml:"aid_transfer" high:"50"`
	EmissionAllowance   int   `toml:"emission_allowance" high:"99"`
	WarningFrom         int   `toml:"warning_from"`
	CriticalFrom        int   `toml:"critical_from"`
	WinBelow            int   `toml:"win_below"`
	Ruin                int   `toml:"ruin" low:"10" high:"99"`
	EmissionPenaltyFrom int   `toml:"emission_penalty_from" high:"99"`
	TechnologyVP        int   `toml:"technology_vp" high:"20"`
	PolicyVP            int   `toml:"policy_vp" high:"20"`
	TriggerVP           int   `toml:"trigger_vp" high:"20"`
	Livability          []int `toml:"livability" low:"-50" high:"50"`
	SoloPenaltyFrom     int   `toml:"solo_penalty_from" high:"99"`
	SoloPenaltyTwoFrom  int   `toml:"solo_penalty_two_from"`
	NPCProsperity       int   `toml:"npc_prosperity" low:"1" high:"99"`
	NPCManufacturingVP  int   `toml:"npc_manufacturing_vp" high:"20"`
	TargetOne           int   `toml:"target_one" low:"5" high:"60"`
	TargetTwo           int   `toml:"target_two" low:"5" high:"60"`
	TargetThree         int   `toml:"target_three" low:"5" high:"60"`
	TargetFour          int   `toml:"target_four" low:"5" high:"60"`
	TargetFive          int   `toml:"target_five" low:"5" high:"60"`
	TargetFourEasy      int   `toml:"target_four_easy" low:"5" high:"60"`
	TargetStandardThree int   `toml:"target_standard_three" low:"5" high:"60"`
	TargetStandardFour  int   `toml:"target_standard_four" low:"5" high:"60"`
	TargetStandardFive  int   `toml:"target_standard_five" low:"5" high:"60"`
	MaxRefreshes        int   `toml:"max_refreshes" high:"5"`
	MaxAmount           int   `toml:"max_amount" low:"1" high:"20"`
	MaxPledge           int   `toml:"max_pledge" low:"1" high:"20"`
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

// reader adds what only this game's data need.
type reader struct {
	*datafile.Check
	listed map[string]bool // ids of each list, as "list.id"
}

// row is the path of a row, and the place of its id; a second row for it is an error. That place is 0 after an error,
// so that checking can go on.
func (r *reader) row(list string, i int, ids []string, id string) (path string, place int) {
	path = fmt.Sprintf("%s.%d", list, i)
	place = slices.Index(ids, id)
	if place < 0 {
		r.Fail(path+".id", "unknown id %q in %s: %s", id, list, spelling.Suggest(id, ids))
		place = 0
	}
	key := list + "." + id
	r.Need(!r.listed[key], path+".id", "%q is listed twice in %s", id, list)
	r.listed[key] = true
	return path, place
}

// readComponents decodes and checks a data file. The hash is over what it says, and the reader places further faults.
func readComponents(d datafile.File) (c *Components, r *reader, hash string, err error) {
	var f dataFile
	err = d.Read(&f, func(check *datafile.Check) {
		r = &reader{check, map[string]bool{}}
		c = &Components{Constants: f.Constants}
		r.technologies(c, f.Technologies)
		r.projects(c, f.Projects)
		r.policies(c, f.Policies)
		r.events(c, &f)
		r.resolutions(c, f.Resolutions)
		r.leaders(c, f.Leaders)
		r.constants(&c.Constants)
		r.automa(c, f.Automa)
	})
	return c, r, datafile.Hash(f), err
}

func (r *reader) technologies(c *Components, rows []technologyRow) {
	for i, row := range rows {
		path, k := r.row("technologies", i, technologyIDs[:], row.ID)
		r.Line(path+".name", row.Name, 60)
		c.Technologies[k] = TechnologyCard{Name: row.Name, Cost: row.Cost, InBox: true}
	}
}

func (r *reader) projects(c *Components, rows []projectRow) {
	copies := 0
	for i := range c.Projects {
		c.Projects[i].Technology = NoTechnology
	}
	for i, row := range rows {
		path, k := r.row("projects", i, projectIDs[:], row.ID)
		x := Project(k)
		r.Line(path+".name", row.Name, 60)
		r.Need(row.Emissions+row.DE >= 0, path+".de", "%s: upgraded emissions would be %d; they cannot fall below 0",
			row.ID, row.Emissions+row.DE)
		sector := slices.Index(sectorIDs[:], row.Sector)
		if sector < 0 {
			r.Fail(path+".sector", "%s: unknown sector %q: %s", row.ID, row.Sector, spelling.Suggest(row.Sector, sectorIDs[:]))
			sector = 0
		}
		t := NoTechnology
		if row.Tech != "" {
			t = Technology(slices.Index(technologyIDs[:], row.Tech))
			if t < 0 || !c.Technologies[t].InBox {
				r.Fail(path+".tech", "%s: there is no Technology %q: %s", row.ID, row.Tech,
					spelling.Suggest(row.Tech, technologyIDs[:]))
				t = NoTechnology
			}
		}
		if t >= 0 {
			c.Technologies[t].Fits |= 1 << x
		}
		c.Sectors[sector] |= 1 << x
		c.Projects[x] = ProjectCard{row.Name, Sector(sector), row.Count, row.Cost, row.Prosperity, row.Emissions, t, row.DP,
			row.DE}
		copies += row.Count
	}
	if least := RowSize + MaxPlayers + 1; copies < least || copies > 100 {
		r.Fail("projects", "%d Projects in all; there must be %d to 100", copies, least)
	}
}

func (r *reader) policies(c *Components, rows []policyRow) {
	for i, row := range rows {
		path, k := r.row("policies", i, policyIDs[:], row.ID)
		r.Line(path+".name", row.Name, 60)
		c.Policies[k] = PolicyCard{row.Name, row.Cost, row.Reduction, true}
	}
}

func (r *reader) events(c *Components, f *dataFile) {
	r.eventRows("warnings", f.Warnings, warningIDs[:], c.Warnings[:])
	for i, row := range f.Warnings {
		path := fmt.Sprintf("warnings.%d", i)
		r.Need(row.All.Prosperity == 0 && row.All.Money == 0 && row.High == (effectRow{}) && row.Low == (effectRow{}), path,
			"%s: a Warning Event changes the income of all, and nothing else", row.ID)
	}
	r.eventRows("criticals", f.Criticals, criticalIDs[:], c.Criticals[:])
	for i, row := range f.Criticals {
		path := fmt.Sprintf("criticals.%d", i)
		r.Need(row.All.Income == 0 && row.High.Income == 0 && row.Low.Income == 0, path,
			"%s: a Critical Event changes Prosperity and money, not income", row.ID)
	}
}

func (r *reader) eventRows(list string, rows []eventRow, ids []string, cards []EventCard) {
	r.Need(len(rows) != 0, list, "%s: there must be at least one", list)
	for i, row := range rows {
		path, k := r.row(list, i, ids, row.ID)
		r.Line(path+".name", row.Name, 60)
		cards[k] = EventCard{Name: row.Name, All: Effect(row.All), High: Effect(row.High), Low: Effect(row.Low), InBox: true}
	}
}

func (r *reader) resolutions(c *Components, rows []resolutionRow) {
	for i, row := range rows {
		path, k := r.row("resolutions", i, resolutionIDs[:], row.ID)
		r.Line(path+".name", row.Name, 60)
		kind := resolutionKinds[k]
		r.Need(row.Kind == kind, path+".kind", "%s is of kind %q, not %q", row.ID, kind, row.Kind)
		card := ResolutionCard{Name: row.Name, InBox: true}
		for j, word := range row.Types {
			at := fmt.Sprintf("%s.types.%d", path, j)
			set := &card.Plus
			if kind == "shift" {
				sign := word[:min(1, len(word))]
				if sign != "+" && sign != "-" {
					r.Fail(at, "%s names each Project with + or -, not %q", row.ID, word)
					continue
				}
				if sign == "-" {
					set = &card.Minus
				}
				word = word[1:]
			}
			x := Project(slices.Index(projectIDs[:], word))
			if x < 0 {
				r.Fail(at, "%s: unknown Project %q: %s", row.ID, word, spelling.Suggest(word, projectIDs[:]))
				continue
			}
			r.Need(!(card.Plus | card.Minus).Has(x), at, "%s names %s twice", row.ID, x)
			*set |= 1 << x
		}
		r.Need(len(row.Types) == 0 || slices.Contains([]string{"ban", "introduce", "shift"}, kind), path+".types",
			"%s concerns no Projects", row.ID)
		c.Resolutions[k] = card
	}
}

func (r *reader) leaders(c *Components, rows []leaderRow) {
	for i, row := range rows {
		path, k := r.row("leaders", i, leaderIDs[:], row.ID)
		r.Line(path+".name", row.Name, 60)
		most := 9
		if l := Leader(k); l == Diplomat || l == General {
			most = 1
		}
		r.In(path+".ability", row.Ability, 0, most)
		c.Leaders[k] = LeaderCard{row.Name, row.Ability, row.Bonus, true}
	}
}

func (r *reader) automa(c *Components, rows []automaRow) {
	prosperity := 0
	for i, row := range rows {
		path, k := r.row("automa", i, automaIDs[:], row.ID)
		group := slices.Index(automaGroups[:], row.Group)
		r.Need(group >= 0, path+".group", "%s: group %q is not I, II or III", row.ID, row.Group)
		card := AutomaCard{Group: group, Technology: row.Tech, Policy: row.Policy, G2: row.G2, G1: row.G1, P1: row.P1,
			VP: row.VP, InBox: true}
		r.Need(len(row.Slots) != 0, path+".slots", "%s: a card lists at least one slot", row.ID)
		for _, slot := range row.Slots {
			r.Need(card.Slots>>(slot-1)&1 == 0, path+".slots", "%s lists slot %d twice", row.ID, slot)
			card.Slots |= 1 << (slot - 1)
		}
		prosperity += row.P1
		c.Automa[k] = card
	}
	if least := c.Constants.NPCProsperity; prosperity < least {
		r.Fail("automa", "the p1 of all Automa cards add up to %d; the NPC must be able to reach %d", prosperity, least)
	}
}

func (r *reader) constants(c *Constants) {
	r.In("constants.start_global_two", c.StartGlobalTwo, 0, c.Ruin-1)
	r.In("constants.start_global_easy", c.StartGlobalEasy, 0, c.Ruin-1)
	r.In("constants.start_global_medium", c.StartGlobalMedium, 0, c.Ruin-1)
	r.In("constants.start_global_hard", c.StartGlobalHard, 0, c.Ruin-1)
	r.In("constants.mars_share", c.MarsShare, 1, c.MaxPledge)
	r.In("constants.warning_from", c.WarningFrom, 0, c.CriticalFrom)
	r.In("constants.critical_from", c.CriticalFrom, 0, c.Ruin)
	r.In("constants.win_below", c.WinBelow, 0, c.Ruin)
	r.In("constants.solo_penalty_two_from", c.SoloPenaltyTwoFrom, c.SoloPenaltyFrom, 99)
	r.Need(len(c.Livability) == NumSectors+1, "constants.livability",
		"livability has %d numbers; it needs %d, for 0 to %d sectors", len(c.Livability), NumSectors+1, NumSectors)
}
