package main

import (
	"slices"

	"earthgym/env"
	"earthgym/env/spelling"
	"earthgym/eval"
	"earthgym/train"
)

// trainingCharts draws the metrics of a run over the decisions that it has learnt from, those of teachers first.
func trainingCharts(info *env.Info, updates []train.Update) []eval.Chart {
	if len(updates) == 0 {
		return nil
	}
	m := metrics(updates)
	charts := slices.Concat(m.strengthCharts(), m.cloningCharts(), m.opponentCharts(info))
	for _, measure := range info.Measures {
		charts = append(charts, eval.Chart{
			Title:  spelling.Capital(measure.Name),
			Series: []eval.Series{m.line(measure.Name, func(u train.Update) float64 { return u.Measures[measure.Name] })},
			Help:   "Mean over the games: " + measure.Help + ".",
		})
	}
	return append(charts, m.learningCharts()...)
}

// metrics are those of a run's updates, to be drawn.
type metrics []train.Update

// draw is a series over the updates that have a number.
func (m metrics) draw(name string, y func(train.Update) (float64, bool)) eval.Series {
	s := eval.Series{Name: name}
	for _, u := range m {
		if y, ok := y(u); ok {
			s.X = append(s.X, float64(u.Cloned+u.Decisions))
			s.Y = append(s.Y, y)
		}
	}
	return s
}

// line is a series over all updates.
func (m metrics) line(name string, y func(train.Update) float64) eval.Series {
	return m.draw(name, func(u train.Update) (float64, bool) { return y(u), true })
}

func (m metrics) strengthCharts() []eval.Chart {
	var leads []eval.Series
	for _, name := range train.Field(m) {
		leads = append(leads, m.draw(name, func(u train.Update) (float64, bool) {
			f, ok := u.Field[name]
			return f.Lead, ok
		}))
	}
	if len(leads) == 0 {
		return nil
	}
	return []eval.Chart{{
		Title: "Strength against the field", Series: leads,
		Help: "How far the network's return is above the others' in matches on the same seeds each time, against agents " +
			"that never change.",
	}}
}

func (m metrics) cloningCharts() []eval.Chart {
	cloning := func(u train.Update) bool { return u.Phase != "league" }
	if !cloning(m[0]) {
		return nil
	}
	return []eval.Chart{
		{
			Title:  "Accuracy of the clone",
			Series: []eval.Series{m.draw("network", func(u train.Update) (float64, bool) { return u.Accuracy, cloning(u) })},
			Help: "How often the teacher does what the network thinks likeliest, in decisions that it has not learnt " +
				"from yet.",
		},
		{
			Title:  "Cross-entropy of the clone",
			Series: []eval.Series{m.draw("network", func(u train.Update) (float64, bool) { return u.CrossEntropy, cloning(u) })},
			Help:   "Of the teacher's action, in nats: 0 would be to know it every time.",
		},
	}
}

// opponentCharts are of the training games. Of games with itself the network always wins its share.
func (m metrics) opponentCharts(info *env.Info) []eval.Chart {
	var charts []eval.Chart
	var returns, wins []eval.Series
	for _, name := range train.Opponents(m) {
		if name == train.Self {
			continue
		}
		returns = append(returns, m.draw(name, func(u train.Update) (float64, bool) {
			y, ok := u.Returns[name]
			return y, ok
		}))
		if name != train.PastSelf {
			wins = append(wins, m.draw(name, func(u train.Update) (float64, bool) { y, ok := u.Wins[name]; return y, ok }))
		}
	}
	if len(returns) > 0 {
		charts = append(charts, eval.Chart{
			Title: "Return against the pool", Series: returns,
			Help: "Mean return of the network's seats in training games with other agents; the past selves get better as " +
				"it does.",
		})
	}
	switch {
	case info.Shared():
		charts = append(charts, eval.Chart{
			Title: "Success", Series: []eval.Series{m.line("network", func(u train.Update) float64 { return u.WinShare })},
			Help: "Share of the training games won, by all together.",
		})
	case len(wins) > 0:
		charts = append(charts, eval.Chart{
			Title: "Wins against fixed opponents", Series: wins, Mark: 1 / float64(info.Players),
			Help: "Win share of a seat of the network in training games with each of them. The dashed line is a fair share.",
		})
	}
	return charts
}

func (m metrics) learningCharts() []eval.Chart {
	return []eval.Chart{
		{
			Title: "Score", Series: []eval.Series{m.line("network", func(u train.Update) float64 { return u.Score })},
			Help: "Mean raw score of the network's seats, in the game's own points.",
		},
		{
			Title:  "Length of a game",
			Series: []eval.Series{m.line("decisions", func(u train.Update) float64 { return u.Length })},
			Help:   "Decisions of all seats in the games that ended.",
		},
		{
			Title: "Entropy", Series: []eval.Series{m.line("entropy", func(u train.Update) float64 { return u.Entropy })},
			Help: "How undecided the network is among the legal actions, in nats.",
		},
		{
			Title:  "Explained variance",
			Series: []eval.Series{m.line("explained", func(u train.Update) float64 { return u.Explained })},
			Help:   "Share of the variance of the returns that the value head foresees: 1 is all, 0 none.",
		},
		{
			Title: "Change of the policy", Series: []eval.Series{
				m.line("KL divergence", func(u train.Update) float64 { return u.KL }),
				m.line("from the reference", func(u train.Update) float64 { return u.ReferenceKL }),
				m.line("share clipped", func(u train.Update) float64 { return u.ClipFraction }),
			},
			Help: "How far an update moves the policy from the one that made the decisions, and how far it is from the one " +
				"that it stays near.",
		},
	}
}
