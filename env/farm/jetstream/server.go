// Package jetstream is an engine (farm.Engine) on NATS JetStream: embedded where one hub serves, or an outside cluster.
//
// The store of a hub is on one node and written through to the disk with every message. It may be deleted at any time:
// the folders of those who ask have all results.
package jetstream

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// HubOptions say how a hub serves.
type HubOptions struct {
	Listen string // HOST:PORT
	Folder string // of the store
	// Token is what those have to know who ask, and WorkerToken(Token) those who work. It may be left out on a loopback
	// address.
	Token string
	TLS   *tls.Config // nil without
	Most  int64       // bytes of the store; 0 for three quarters of the room on the disk
}

// A Hub is an embedded server.
type Hub struct {
	server  *server.Server
	options HubOptions
}

// mostMessage is the most bytes of a message, and leastMessage what has to be at least in its place outside.
const (
	mostMessage  = 32 << 20
	leastMessage = 8 << 20
)

// Serve begins to serve.
func Serve(o HubOptions) (*Hub, error) {
	host, port, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return nil, fmt.Errorf("%q is no HOST:PORT: %w", o.Listen, err)
	}
	n, err := strconv.Atoi(port)
	if err != nil || n < 0 || n > 65535 {
		return nil, fmt.Errorf("%q is no HOST:PORT", o.Listen)
	}
	at, err := net.Listen("tcp", o.Listen) // A server that finds its port taken says nothing, and isn't ready for ever.
	if err != nil {
		return nil, err
	}
	_ = at.Close()
	if n == 0 {
		n = server.RANDOM_PORT
	}
	opts := &server.Options{ServerName: "earthgym", Host: host, Port: n, JetStream: true, StoreDir: o.Folder,
		SyncAlways: true, JetStreamMaxStore: o.Most, JetStreamMaxMemory: 64 << 20, MaxPayload: mostMessage,
		MaxPending: 4 * mostMessage, NoSigs: true, NoLog: true, TLSConfig: o.TLS, TLS: o.TLS != nil, TLSTimeout: 5}
	if o.Token != "" {
		opts.CustomClientAuthentication = rights(o.Token)
	}
	s, err := server.NewServer(opts)
	if err != nil {
		return nil, err
	}
	go s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		s.Shutdown()
		return nil, fmt.Errorf("nothing can be served at %s, or its store in %s can't be used: is another one there?",
			o.Listen, o.Folder)
	}
	if !s.JetStreamEnabled() {
		s.Shutdown()
		return nil, errors.New("the store can't be used: " + o.Folder)
	}
	o.Listen = s.Addr().String()
	return &Hub{s, o}, nil
}

// Again ends it and begins anew at the same address, for a store that could not be written once takes nothing more.
func (h *Hub) Again() error {
	h.Close()
	again, err := Serve(h.options)
	if err == nil {
		*h = *again
	}
	return err
}

// URL is where it serves.
func (h *Hub) URL() string {
	scheme := "nats"
	if h.options.TLS != nil {
		scheme = "tls"
	}
	return scheme + "://" + h.options.Listen
}

// Close ends it.
func (h *Hub) Close() {
	h.server.Shutdown()
	h.server.WaitForShutdown()
}

// WorkerToken is what workers have to know where those who ask have to know a token.
func WorkerToken(token string) string {
	h := hmac.New(sha256.New, []byte(token))
	_, _ = h.Write([]byte("earthgym worker")) // A hash takes all.
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// rights lets those in who know a token, workers with the right to take work and to speak in their own name alone.
type rights string

// Check implements server.Authentication.
func (token rights) Check(c server.ClientAuthentication) bool {
	name, password := c.GetOpts().Username, c.GetOpts().Password
	is := func(right string) bool { return subtle.ConstantTimeCompare([]byte(password), []byte(right)) == 1 }
	switch {
	case is(string(token)):
		return true
	case !is(WorkerToken(string(token))) || !plain(name):
		return false
	}
	c.RegisterUser(&server.User{Username: name, Permissions: &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			"$JS.API.INFO", "$JS.API.STREAM.INFO.*", "$JS.API.STREAM.NAMES", "$JS.API.CONSUMER.INFO." + workStream + ".*",
			"$JS.API.CONSUMER.MSG.NEXT." + workStream + "." + consumer, "$JS.ACK." + workStream + "." + consumer + ".>",
			"$JS.API.DIRECT.GET.OBJ_" + filesBucket + ".>", "$JS.API.STREAM.MSG.GET.OBJ_" + filesBucket,
			"$JS.API.CONSUMER.CREATE.OBJ_" + filesBucket + ".>", "$JS.API.CONSUMER.DELETE.OBJ_" + filesBucket + ".>",
			"$O." + filesBucket + ".>", "$JS.FC.OBJ_" + filesBucket + ".>",
			doneSubject + "." + name + ".>", aliveSubject + "." + name,
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{inbox(name) + ".>"}},
	}})
	return true
}
