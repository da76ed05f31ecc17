package newearth

import (
	"testing"

	"earthgym/env"
)

// TestRedealAtEveryScene goes beyond the conformance suite: every question whose asking is a secret, for
// every seat.
func TestRedealAtEveryScene(t *testing.T) {
	var one, two, three State
	var asked [numScenes]int
	key := uint64(0)
	walk(t, 4, func(w *walker) {
		s := w.state
		scene := s.scene()
		if key++; scene == openScene && key%16 != 0 {
			return
		}
		asked[scene]++
		for p := range env.Player(w.game.players) {
			one.CopyFrom(s)
			one.Redeal(p, key)
			if err := one.Check(); err != nil {
				t.Errorf("redealt for %d: %v\n%s\nfrom\n%s", p, err, one.AppendPosition(nil), s.AppendPosition(nil))
				return
			}
			if one.scene() != scene || one.nodeSeenBy(p) != s.nodeSeenBy(p) || one.activeSeenBy(p) != s.activeSeenBy(p) {
				t.Errorf("redealt for %d: %s instead of %s", p, one.node, s.node)
				return
			}
			two.CopyFrom(s)
			two.Redeal(p, key+1)
			three.CopyFrom(&one)
			three.Redeal(p, key+1)
			if !two.Equal(&three) {
				t.Errorf("redealt for %d depends on secrets:\n%s\n%s\n%s", p, s.AppendPosition(nil), two.AppendPosition(nil), three.AppendPosition(nil))
				return
			}
		}
	})
	for scene, n := range asked {
		t.Logf("scene %d: %d", scene, n)
		if n < 20 {
			t.Errorf("scene %d came up %d times only", scene, n)
		}
	}
}
