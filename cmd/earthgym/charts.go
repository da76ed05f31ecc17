package main

import (
	"strings"

	"earthgym/env"
	"earthgym/eval"
	"earthgym/train"
)

// trainingCharts draws the metrics of a run over the decisions that it has learnt from, those of teachers first.
func trainingCharts(info *env.Info, updates []train.Update) []eval.Chart {
	if len(updates) == 0 {
		return nil
	}
	cloning := func(u train.Update) bool { return u.Phase != "league" }
	draw := func(name string, in func(train.Update) bool, y func(train.Update) float64) eval.Series {
		s := eval.Series{Name: name}
		for _, u := range updates {
			if in(u) {
				s.X = append(s.X, float64(u.Cloned+u.Decisions))
				s.Y = append(s.Y, y(u))
			}
		}
		return s
	}
	line := func(name string, y func(train.Update) float64) eval.Series {
		return draw(name, func(train.Update) bool { return true }, y)
	}
	against := func(name string, of func(train.Update) map[string]float64) eval.Series {
		s := eval.Series{Name: name}
		for _, u := range updates {
			if y, ok := of(u)[name]; ok {
				s.X = append(s.X, float64(u.Cloned+u.Decisions))
				s.Y = append(s.Y, y)
			}
		}
		return s
	}
	var returns, wins []eval.Series
	for _, name := range train.Opponents(updates) {
		if name == train.Self {
			continue
		}
		returns = append(returns, against(name, func(u train.Update) map[string]float64 { return u.Returns }))
		if name != train.PastSelf {
			wins = append(wins, against(name, func(u train.Update) map[string]float64 { return u.Wins }))
		}
	}
	charts := []eval.Chart{}
	var leads []eval.Series
	for _, name := range train.Field(updates) {
		measured := func(u train.Update) bool { _, ok := u.Field[name]; return ok }
		leads = append(leads, draw(name, measured, func(u train.Update) float64 { return u.Field[name].Lead }))
	}
	if len(leads) > 0 {
		charts = append(charts, eval.Chart{
			Title: "Strength against the field", Series: leads,
			Help: "How far the network's return is above the others' in matches on the same seeds each time, against agents that never change.",
		})
	}
	if cloning(updates[0]) {
		charts = append(charts,
			eval.Chart{
				Title: "Accuracy of the clone", Series: []eval.Series{draw("network", cloning, func(u train.Update) float64 { return u.Accuracy })},
				Help: "How often the teacher does what the network thinks likeliest, in decisions that it has not learnt from yet.",
			},
			eval.Chart{
				Title: "Cross-entropy of the clone", Series: []eval.Series{draw("network", cloning, func(u train.Update) float64 { return u.CrossEntropy })},
				Help: "Of the teacher's action, in nats: 0 would be to know it every time.",
			})
	}
	if len(returns) > 0 {
		charts = append(charts, eval.Chart{
			Title: "Return against the pool", Series: returns,
			Help: "Mean return of the network's seats in training games with other agents; the past selves get better as it does.",
		})
	}
	// Of games with itself the network always wins its share.
	switch {
	case info.Shared():
		charts = append(charts, eval.Chart{
			Title: "Success", Series: []eval.Series{line("network", func(u train.Update) float64 { return u.WinShare })},
			Help: "Share of the training games won, by all together.",
		})
	case len(wins) > 0:
		charts = append(charts, eval.Chart{
			Title: "Wins against fixed opponents", Series: wins, Mark: 1 / float64(info.Players),
			Help: "Win share of a seat of the network in training games with each of them. The dashed line is a fair share.",
		})
	}
	for _, m := range info.Measures {
		charts = append(charts, eval.Chart{
			Title: strings.ToUpper(m.Name[:1]) + m.Name[1:], Series: []eval.Series{line(m.Name, func(u train.Update) float64 { return u.Measures[m.Name] })},
			Help: "Mean over the games: " + m.Help + ".",
		})
	}
	return append(charts,
		eval.Chart{
			Title: "Score", Series: []eval.Series{line("network", func(u train.Update) float64 { return u.Score })},
			Help: "Mean raw score of the network's seats, in the game's own points.",
		},
		eval.Chart{
			Title: "Length of a game", Series: []eval.Series{line("decisions", func(u train.Update) float64 { return u.Length })},
			Help: "Decisions of all seats in the games that ended.",
		},
		eval.Chart{
			Title: "Entropy", Series: []eval.Series{line("entropy", func(u train.Update) float64 { return u.Entropy })},
			Help: "How undecided the network is among the legal actions, in nats.",
		},
		eval.Chart{
			Title: "Explained variance", Series: []eval.Series{line("explained", func(u train.Update) float64 { return u.Explained })},
			Help: "Share of the variance of the returns that the value head foresees: 1 is all, 0 none.",
		},
		eval.Chart{
			Title: "Change of the policy", Series: []eval.Series{
				line("KL divergence", func(u train.Update) float64 { return u.KL }),
				line("from the reference", func(u train.Update) float64 { return u.ReferenceKL }),
				line("share clipped", func(u train.Update) float64 { return u.ClipFraction }),
			},
			Help: "How far an update moves the policy from the one that made the decisions, and how far it is from the one that it stays near.",
		},
	)
}
