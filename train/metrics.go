package train

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"earthgym/env/decode"
	"earthgym/env/disk"
)

// MetricsFile is the name of the metrics in a run's directory: one Update as JSON per line.
const MetricsFile = "metrics.jsonl"

// An Update is a line of metrics: what an update learnt from, and how it went.
type Update struct {
	Update    int    `json:"update"`    // from 1
	Phase     string `json:"phase"`     // "cloning", "dagger" or "league"
	Cloned    int    `json:"cloned"`    // decisions of teachers learnt from, since the start
	Decisions int    `json:"decisions"` // of the network in the league, since the start

	// Games that ended since the last update:

	Games     int                `json:"games"`
	Length    float64            `json:"length"`    // decisions of a game, all seats
	Score     float64            `json:"score"`     // mean raw score of the network's seats
	WinShare  float64            `json:"win_share"` // of the network's seats; where all win together, the success rate
	Returns   map[string]float64 `json:"returns"`   // mean return of the network's seats, by opponent
	Wins      map[string]float64 `json:"wins"`      // WinShare by opponent
	Measures  map[string]float64 `json:"measures"`  // means of Info.Measures
	Ends      map[string]int     `json:"ends"`      // games by the reason of their end
	PastSelfs int                `json:"past_selves"`

	// Means over the update's minibatches:

	Loss         float64 `json:"loss"`
	PolicyLoss   float64 `json:"policy_loss"`
	ValueLoss    float64 `json:"value_loss"`
	Entropy      float64 `json:"entropy"`
	KL           float64 `json:"kl"`
	ClipFraction float64 `json:"clip_fraction"`
	GradNorm     float64 `json:"grad_norm"`
	ReferenceKL  float64 `json:"reference_kl"`       // of the policy from what it is to stay near
	KLCoef       float64 `json:"kl_coef"`            // the weight of that
	Explained    float64 `json:"explained_variance"` // of the returns, by the values
	LearningRate float64 `json:"learning_rate"`

	// When cloning, of decisions that the network has not learnt from yet:

	Accuracy     float64 `json:"accuracy"`      // how often the teacher does what the network thinks likeliest
	CrossEntropy float64 `json:"cross_entropy"` // of the teacher's action, in nats

	// If the update ends with a match against the field:

	Field    map[string]Standing `json:"field,omitempty"`    // by agent
	Strength *float64            `json:"strength,omitempty"` // mean lead over them

	// What the answer's logits were multiplied by, in the last line of runs of before: now the answer's card says it.
	Sharpness float64 `json:"sharpness,omitempty"`

	// The only ones that differ when a run is repeated:

	CollectSeconds  float64 `json:"collect_seconds"`
	LearnSeconds    float64 `json:"learn_seconds"`
	EvaluateSeconds float64 `json:"evaluate_seconds"`
	// processor time of the process while it collected; 0 where it is unknown
	CollectCPUSeconds float64 `json:"collect_cpu_seconds"`
	// and while it learnt; divided by the seconds and the cores, how busy these were
	LearnCPUSeconds float64 `json:"learn_cpu_seconds"`
	CPUSeconds      float64 `json:"cpu_seconds"` // in all
}

// explained is the share of the variance of the returns that the values explain.
func (r *rollout) explained(decisions []int32) float64 {
	var n, sum, squares, left float64
	for _, i := range decisions {
		own := int(i) * r.seats
		x, e := float64(r.returns[own]), float64(r.returns[own]-r.values[own])
		n++
		sum += x
		squares += float64(x * x)
		left += float64(e * e)
	}
	variance := squares/n - sum*sum/n/n
	if variance <= 0 {
		return 0
	}
	return 1 - left/n/variance
}

// describe adds what was collected, and begins to count anew.
func (r *Run) describe(u *Update) {
	s := &r.collector.stats
	u.Cloned, u.Decisions, u.Games, u.Ends, u.PastSelfs = r.cloned, r.decisions, s.games, s.ends,
		len(r.collector.pool.past)
	u.Returns, u.Wins, u.Measures = map[string]float64{}, map[string]float64{}, map[string]float64{}
	for name, t := range s.against {
		u.Returns[name] = t.returns / float64(t.seats)
		u.Wins[name] = t.wins / float64(t.seats)
	}
	if s.games > 0 {
		u.Length = float64(s.decisions) / float64(s.games)
		for i, m := range r.info.Measures {
			u.Measures[m.Name] = s.measures[i] / float64(s.games)
		}
	}
	if s.seats > 0 {
		u.Score = s.score / float64(s.seats)
		u.WinShare = s.wins / float64(s.seats)
	}
	s.clear()
}

func (s *StepStats) add(o StepStats) {
	s.Loss += o.Loss
	s.PolicyLoss += o.PolicyLoss
	s.ValueLoss += o.ValueLoss
	s.Entropy += o.Entropy
	s.KL += o.KL
	s.ClipFraction += o.ClipFraction
	s.GradNorm += o.GradNorm
	s.ReferenceKL += o.ReferenceKL
}

// describeSteps adds the means over the steps of which sum is the sum.
func (u *Update) describeSteps(sum StepStats, steps int) {
	n := float64(steps)
	u.Loss, u.PolicyLoss, u.ValueLoss, u.Entropy = sum.Loss/n, sum.PolicyLoss/n, sum.ValueLoss/n, sum.Entropy/n
	u.KL, u.ClipFraction, u.GradNorm, u.ReferenceKL = sum.KL/n, sum.ClipFraction/n, sum.GradNorm/n, sum.ReferenceKL/n
}

func (r *Run) appendMetrics(u Update) error {
	line, err := json.Marshal(u)
	if err != nil {
		return fmt.Errorf("write metrics: %w", err)
	}
	return r.appendTo(MetricsFile, append(line, '\n'))
}

func (r *Run) appendTo(name string, text []byte) error {
	f, err := disk.OpenFile(filepath.Join(r.dir, name), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// trimMetrics drops the line of an update that was reported but not saved, or half of one, and makes the events theirs.
func (r *Run) trimMetrics() error {
	updates, err := ReadMetrics(r.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // the run needs none to go on
		return err
	}
	updates = slices.DeleteFunc(updates, func(u Update) bool { return u.Update > r.update })
	if err := r.rewriteEvents(updates); err != nil {
		return err
	}
	return disk.WriteFile(filepath.Join(r.dir, MetricsFile), func(w io.Writer) error {
		enc := json.NewEncoder(w)
		for _, u := range updates {
			if err := enc.Encode(u); err != nil {
				return err
			}
		}
		return nil
	})
}

// ReadMetrics reads the metrics of the run in dir. Half a line at the end, of an update that was cut
// off, is left out.
func ReadMetrics(dir string) ([]Update, error) {
	name := filepath.Join(dir, MetricsFile)
	b, err := disk.ReadFile(name, 1<<30)
	if err != nil {
		return nil, fmt.Errorf("read metrics: %w", err)
	}
	b = b[:bytes.LastIndexByte(b, '\n')+1]
	var updates []Update
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var u Update
		err := decode.JSON(lines.Bytes(), &u)
		if err == nil {
			err = u.check()
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		updates = append(updates, u)
	}
	return updates, lines.Err()
}

// check finds numbers that no run can have written, and that nobody could draw.
func (u *Update) check() error {
	const mostCount, mostLead = 1e15, 2 + 1e-9
	for name, n := range map[string]int{"update": u.Update, "cloned": u.Cloned, "decisions": u.Decisions} {
		if n < 0 || n > mostCount {
			return fmt.Errorf("%s is %d", name, n)
		}
	}
	if u.Strength != nil && math.Abs(*u.Strength) > mostLead {
		return fmt.Errorf("strength is %v: a lead lies between -2 and 2", *u.Strength)
	}
	for name, s := range u.Field {
		if math.Abs(s.Lead) > mostLead {
			return fmt.Errorf("the lead over %s is %v: it lies between -2 and 2", name, s.Lead)
		}
	}
	return nil
}

// What metrics call the opponents that are no agents of their own.
const (
	Self     = "self"      // the network alone at the table
	PastSelf = "past self" // one of those kept in the pool
)

// Opponents lists the kinds of opponents that the metrics name, in order.
func Opponents(updates []Update) []string {
	return named(updates, func(u *Update) map[string]float64 { return u.Returns })
}

// Field lists the agents that the network has been measured against, in order.
func Field(updates []Update) []string {
	return named(updates, func(u *Update) map[string]Standing { return u.Field })
}

func named[E any](updates []Update, of func(*Update) map[string]E) []string {
	names := map[string]bool{}
	for i := range updates {
		for name := range of(&updates[i]) {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// A Standing is what came of such a match against one of the field.
type Standing struct {
	Games  int     `json:"games"`
	Return float64 `json:"return"`  // mean of the network's seat, or table
	Theirs float64 `json:"theirs"`  // mean of the others' seats, or of their table
	Lead   float64 `json:"lead"`    // Return - Theirs
	LeadCI float64 `json:"lead_ci"` // half of its interval of 95 %
	Wins   float64 `json:"wins"`    // win share of the network's seat
	WinsCI float64 `json:"wins_ci"` // half of its interval
	Fair   float64 `json:"fair"`    // win share if all were alike; where all win together, of the others' table
}
