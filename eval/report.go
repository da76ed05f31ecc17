package eval

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"earthgym/env/spelling"
)

// A Report is what a page shows: how a training went, what matches have shown, or both.
type Report struct {
	Title    string
	Program  string        // what made it, with its version
	Date     time.Time     // when
	Took     time.Duration // how long that took
	Settings []Setting     // of the run or the match
	Training []Chart
	Matches  []*MatchResult
	// Comparisons are those of whole tables, of games that all seats win and lose together.
	Comparisons []*Comparison
	// Thinking is how long the agents have thought; nil if that is not told.
	Thinking *Thinking
	// Tournament is what a tournament has shown; its games are summed up like those of a match.
	Tournament *TournamentResult
	// CrossPlay is what agents have made as guests at each other's tables.
	CrossPlay *CrossPlay
}

// A Setting is a choice that the results depend on.
type Setting struct{ Name, Value string }

// A Chart is a plot of series over the decisions trained on.
type Chart struct {
	Title  string   `json:"title"` // what is measured: "Return against the pool"
	Help   string   `json:"help"`  // what it means, in a sentence
	Series []Series `json:"series"`
	Mark   float64  `json:"mark"` // not 0: where a dashed line is drawn to compare with
}

// A Series is a line of points, X[i] with Y[i]. Points that aren't finite, or farther from 0 than 1e30, are left
// out.
type Series struct {
	Name string    `json:"name"`
	X    []float64 `json:"x"`
	Y    []float64 `json:"y"`
}

//go:embed report.html
var reportPage string

// WriteReport writes the report as one HTML page that needs nothing else: pictures, styles and, as JSON,
// the results are inside it. The same report is the same page, byte by byte.
func WriteReport(w io.Writer, r Report) error {
	r.Title = spelling.Printable(r.Title)
	page := pageData{Report: r, Made: r.made(), Confidence: fmt.Sprintf("%.0f", 100*confidence)}
	for _, c := range r.Training {
		picture, err := lineChart("decisions", c)
		if err != nil {
			return fmt.Errorf("report: chart %q: %w", c.Title, err)
		}
		page.Training = append(page.Training, figure{Title: c.Title, Help: c.Help, Picture: picture})
	}
	page.addSummary(r.Matches)
	if t := r.Tournament; t != nil {
		page.addStandings(t)
	}
	if r.CrossPlay != nil {
		page.CrossPlay = r.CrossPlay.page()
	}
	for _, m := range r.matches() {
		section, err := newSection(m)
		if err != nil {
			return fmt.Errorf("report: match of %s: %w", m.names(), err)
		}
		page.Matches = append(page.Matches, section)
	}
	text, err := json.Marshal(r.results())
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	page.JSON = template.JS(text) // encoding/json escapes what could end the element
	t, err := template.New("report").Funcs(template.FuncMap{"name": breakable, "brief": brief, "signed": signed,
		"percent": percent, "plain": plain, "difference": difference}).Parse(reportPage)
	if err != nil {
		return err
	}
	return t.Execute(w, page)
}

func (r *Report) made() string {
	var parts []string
	if r.Program != "" {
		parts = append(parts, r.Program)
	}
	if !r.Date.IsZero() {
		parts = append(parts, r.Date.UTC().Format("2 January 2006, 15:04 UTC"))
	}
	if r.Took > 0 {
		parts = append(parts, "took "+took(r.Took))
	}
	return strings.Join(parts, " · ")
}

// took writes a duration as people say it: 0.4 s, 12 s, 3 min 20 s, 2 h 5 min.
func took(d time.Duration) string {
	seconds := int(d.Round(time.Second).Seconds())
	switch {
	case d < 9950*time.Millisecond:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case seconds < 60:
		return fmt.Sprintf("%d s", seconds)
	case seconds < 3600:
		return fmt.Sprintf("%d min %d s", seconds/60, seconds%60)
	}
	return fmt.Sprintf("%d h %d min", seconds/3600, seconds/60%60)
}

// breakable is a name in the page: lines may break where its parts do, and nowhere else.
func breakable(text string) template.HTML {
	var b strings.Builder
	for _, part := range partsOf(spelling.Printable(text)) {
		b.WriteString(html.EscapeString(part) + "<wbr/>")
	}
	return template.HTML(strings.TrimSuffix(b.String(), "<wbr/>"))
}

// partsOf splits a name behind each character that ends one of its parts.
func partsOf(text string) []string {
	var parts []string
	for text != "" {
		end := strings.IndexAny(text, "/:,")
		if end < 0 {
			end = len(text) - 1
		}
		parts, text = append(parts, text[:end+1]), text[end+1:]
	}
	return parts
}

// pageData is a report with what the page says of it in other words.
type pageData struct {
	Report
	Made       string
	Confidence string
	Training   []figure
	Opponents  []opponentRow
	Summary    []figure
	Matches    []section
	CrossPlay  *crossPage
	Standings  []standing
	Ratings    figure
	Remarks    []string
	WinWord    string // of the standings
	Versus     bool   // the agents of the standings sat at the same tables
	JSON       template.JS
}

type figure struct {
	Title, Help string
	Picture     template.HTML
	Bars        *bars // in place of a picture
}

// standing is one agent's line in the standings of a tournament.
type standing struct {
	Place                int
	Agent                template.HTML
	Rating, Return, Win  string
	Deviation, Condorcet string
	Against              []heat
}

// heat is a cell of the table of pairs: how far to the better or the worse it is coloured, in per cent.
type heat struct {
	Text, Title string
	Side        string // "better", "worse" or ""
	Percent     int
}

// newHeat is a cell whose value, from -1 to 1, is the better the higher it is.
func newHeat(text, title string, value float64) heat {
	h := heat{Text: text, Title: title, Percent: int(math.Round(60 * min(1, math.Abs(value))))}
	switch {
	case value > 0:
		h.Side = "better"
	case value < 0:
		h.Side = "worse"
	}
	return h
}

// addStandings sets the standings and the table of pairs.
func (p *pageData) addStandings(r *TournamentResult) {
	var ratings []bar
	for i, a := range r.Agents {
		x := r.Ratings[i]
		row := standing{
			Place: i + 1, Agent: breakable(a.Agent), Rating: r.ratingText(i),
			Return: signed(a.MeanReturn, a.ReturnCI), Win: percent(a.WinShare, a.WinCI),
			Deviation: hundredths(x.Deviation), Condorcet: hundredths(x.Condorcet),
		}
		ratings = append(ratings, bar{a.Agent, x.Rating, x.CI, row.Rating})
		for j, pair := range r.Against[i] {
			cell := heat{Text: pair.text(i != j)}
			if i != j && pair.Games > 0 {
				cell = newHeat(cell.Text, fmt.Sprintf("%s against %s: %s in %s", spelling.Printable(a.Agent),
					spelling.Printable(r.Agents[j].Agent), signed(pair.Mean, pair.CI),
					spelling.Counted(pair.Games, "game")), pair.Mean)
			}
			row.Against = append(row.Against, cell)
		}
		p.Standings = append(p.Standings, row)
	}
	for _, n := range r.remarks() {
		p.Remarks = append(p.Remarks, n.items...)
	}
	p.WinWord, p.Versus = r.winWord(), !r.Shared
	p.Ratings = figure{Title: "Ratings", Help: "Strengths of the Plackett-Luce model; the whiskers are the interval of " +
		"the difference to the anchor.", Bars: newBars("rating, on Elo's scale", -50, 50, 0, ratings)}
}

// opponentRow is one other agent that the first agent of a match met.
type opponentRow struct {
	Agent, Opponent template.HTML
	Games           int
	Win, Difference string
	Verdict         string
}

type section struct {
	*MatchResult
	Design   string
	GameName template.HTML
	WinWord  string
	Versus   bool
	Rows     []agentRow
	Figures  []figure
	Usage    []figure
	EndTexts []string
	Measured []measureRow
	Notes    []string
	Watched  []gameLink
	Records  []gameLink
}

// gameLink leads to a page that shows a game of the match.
type gameLink struct{ Page, Text string }

type agentRow struct {
	AgentResult
	Difference string // to the first agent
	Verdict    string
}

type measureRow struct{ Name, Mean string }

// addSummary sets what the first agent of each match has done against each of the others.
func (p *pageData) addSummary(matches []*MatchResult) {
	var wins, differences []bar
	for _, m := range matches {
		if !m.versus() {
			continue
		}
		first := m.Agents[0]
		for i, other := range m.Agents[1:] {
			d := m.Differences[i] // those of the first come first
			win, difference := percent(first.WinShare, first.WinCI), signed(d.MeanReturn, d.ReturnCI)
			p.Opponents = append(p.Opponents, opponentRow{
				breakable(first.Agent), breakable(other.Agent), m.Games, win, difference, d.verdict(),
			})
			wins = append(wins, bar{other.Agent, 100 * first.WinShare, Interval{100 * first.WinCI[0], 100 * first.WinCI[1]},
				win})
			differences = append(differences, bar{other.Agent, d.MeanReturn, d.ReturnCI, difference})
		}
	}
	if len(p.Opponents) == 0 {
		return
	}
	fair := matches[0].fairShare()
	if slices.ContainsFunc(matches, func(m *MatchResult) bool { return m.fairShare() != fair }) {
		fair = 0 // Tables of different sizes have no line in common.
	}
	help := "Share of the win of the first agent of each match, by opponent."
	if fair > 0 {
		help += " " + fairHelp
	}
	p.Summary = []figure{
		{Title: "Win share per opponent", Help: help,
			Bars: newBars("win share of the first agent, %", 0, 100, fair, wins)},
		{Title: "Return difference per opponent",
			Help: "Return of the first agent minus that of the opponent, paired within blocks.",
			Bars: newBars("return of the first agent minus the opponent's", -0.1, 0.1, 0, differences)},
	}
}

// usageHelp explains a chart of usage.
const usageHelp = "By family of actions: how often it was chosen, of the decisions at which it was legal, for a " +
	"seat in a game."

// fairHelp explains the mark in a chart of wins.
const fairHelp = "The dashed line is a fair share: one win among all seats."

// fairShare is the win share in per cent of one among equals, 0 where all win together.
func (r *MatchResult) fairShare() float64 {
	if r.Shared || len(r.Seats) == 0 {
		return 0
	}
	return 100 / float64(len(r.Seats))
}

func newSection(m *MatchResult) (section, error) {
	s := section{
		MatchResult: m, GameName: breakable(m.Short), WinWord: m.winWord(), Versus: m.versus(), EndTexts: m.ends(),
		Design: m.design(),
	}
	var returns, wins, ends []bar
	scores := make([]Series, len(m.Agents))
	for i, a := range m.Agents {
		row := agentRow{AgentResult: a}
		if i > 0 && s.Versus {
			d := m.Differences[i-1].reversed()
			row.Difference, row.Verdict = signed(d.MeanReturn, d.ReturnCI), d.verdict()
		}
		s.Rows = append(s.Rows, row)
		returns = append(returns, bar{a.Agent, a.MeanReturn, a.ReturnCI, signed(a.MeanReturn, a.ReturnCI)})
		wins = append(wins, bar{a.Agent, 100 * a.WinShare, Interval{100 * a.WinCI[0], 100 * a.WinCI[1]},
			percent(a.WinShare, a.WinCI)})
		scores[i].Name = a.Agent
	}
	for _, measure := range m.Measures {
		s.Measured = append(s.Measured, measureRow{measure.Name, plain(measure.Mean, measure.CI)})
	}
	if m.Commons != nil {
		s.Measured = append(s.Measured, m.Commons.rows()...)
	}
	s.Notes = linesOf(append(m.luckNotes(), m.notes()...))
	for i := range m.Outcomes {
		o := &m.Outcomes[i]
		if o.Page != "" {
			s.Watched = append(s.Watched, gameLink{o.Page, m.gameText(o)})
		}
		if o.File != "" {
			s.Records = append(s.Records, gameLink{o.File, m.gameText(o)})
		}
	}
	for _, reason := range m.reasons() {
		share := 100 * float64(m.Ends[reason]) / float64(m.Games)
		ends = append(ends, bar{reason, share, Interval{share, share}, fmt.Sprintf("%d (%.1f %%)", m.Ends[reason], share)})
	}
	lengths := Series{Name: "decisions"}
	for i := range m.Outcomes {
		o := &m.Outcomes[i]
		lengths.X = append(lengths.X, float64(o.Decisions))
		for seat, agent := range o.Seating {
			scores[agent].X = append(scores[agent].X, o.Scores[seat])
		}
	}
	success, help := "Success", "The share of games won, by all together."
	if !m.Shared {
		success = "Win share"
		help = "Of each agent, for one seat; a win shared by k winners counts 1/k to each. " + fairHelp
	}
	length, err := histogram("decisions per game", "decisions", "games", []Series{lengths})
	if err != nil {
		return s, fmt.Errorf("lengths: %w", err)
	}
	points, err := histogram("scores", "score", "seat-games", scores)
	if err != nil {
		return s, fmt.Errorf("scores: %w", err)
	}
	s.Figures = []figure{
		{Title: "Mean return", Help: "Of each agent over all its seats and games; the whiskers are the interval.",
			Bars: newBars("mean return", -0.1, 0.1, 0, returns)},
		{Title: success, Help: help, Bars: newBars(s.WinWord+", %", 0, 100, m.fairShare(), wins)},
		{Title: "How games ended", Help: "Games by the reason of their end.", Bars: newBars("% of games", 0, 100, 0, ends)},
		{Title: "Length", Help: "Decisions asked in a game, of all seats together.", Picture: length},
		{Title: "Scores", Help: "Final scores in the rulebook's points, one per seat and game.", Picture: points},
	}
	for _, a := range m.Usage {
		var chosen []bar
		for _, f := range a.Families {
			if f.LegalPerGame > 0 {
				share := 100 * f.PerGame / f.LegalPerGame
				chosen = append(chosen, bar{f.Family, share, Interval{share, share}, f.text()})
			}
		}
		if chosen != nil { // Who has forfeited every game before its first decision has chosen nothing.
			s.Usage = append(s.Usage, figure{Title: spelling.Printable(a.Agent), Help: usageHelp,
				Bars: newBars("chosen, % of the decisions at which it was legal", 0, 100, 0, chosen)})
		}
	}
	return s, nil
}

// gameText says who sat where in a game, and how it ended.
func (m *MatchResult) gameText(o *Outcome) string {
	var seated []string
	for p, i := range o.Seating {
		seated = append(seated, fmt.Sprintf("%d %s", p, spelling.Printable(m.Agents[i].Agent)))
	}
	return fmt.Sprintf("seed %d, seats %s: %s, %s", o.Seed, strings.Join(seated, ", "), o.Reason,
		spelling.Counted(o.Decisions, "decision"))
}
