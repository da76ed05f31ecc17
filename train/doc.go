// Package train trains policy networks.
//
// A [Learner] does the steps: the network, the PPO loss and their gradients are a Gorgonia graph of the fused
// operations of package ops, and the parameters move by Adam.
package train
