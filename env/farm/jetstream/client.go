package jetstream

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"earthgym/env/farm"
)

// The streams of a hub: bundles, which go once they are done; what came of them, one subject a worker and bundle; how
// all are, in memory; and files by their hash.
const (
	workStream, workSubject   = "earthgym-work", "work"
	doneStream, doneSubject   = "earthgym-done", "done"
	aliveStream, aliveSubject = "earthgym-alive", "alive"
	filesBucket               = "earthgym-files"
	consumer                  = "workers"
)

// The times of a Client.
const (
	lease    = time.Minute
	alive    = 30 * time.Second // that what one has told of oneself is kept
	patience = 5 * time.Second
	request  = time.Second // for work
)

// A Client is somebody at a hub: a farm.Engine.
type Client struct {
	name string
	conn *nats.Conn
	js   jetstream.JetStream
}

// plain says whether a name may stand in a subject.
func plain(name string) bool {
	return name != "" && len(name) <= 64 && !strings.ContainsAny(name, ".*> \t\r\n")
}

func inbox(name string) string { return "_INBOX-" + name }

// Dial connects as one of this name to the hub at an address, nats://TOKEN@HOST:PORT or tls://…. A token of the
// address counts before the other one.
func Dial(name, address, token string) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "nats" && u.Scheme != "tls" || u.Host == "" {
		return nil, &AddressError{fmt.Errorf("%q is no address of a hub: it is nats://HOST:PORT or tls://HOST:PORT", address)}
	}
	if !plain(name) {
		return nil, &AddressError{fmt.Errorf("%q is no name of a worker: up to 64 characters without dots, stars and spaces",
			name)}
	}
	if u.User != nil {
		token = u.User.Username()
		u.User = nil
	}
	options := []nats.Option{nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second),
		nats.Timeout(patience), nats.CustomInboxPrefix(inbox(name)), nats.ReconnectBufSize(-1),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})} // Who is concerned hears of it elsewhere.
	if token != "" {
		options = append(options, nats.UserInfo(name, token))
	}
	conn, err := nats.Connect(u.String(), options...)
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		return nil, &AddressError{fmt.Errorf("the hub at %s lets nobody in with this token, or without one", u)}
	case err != nil:
		return nil, fmt.Errorf("nobody answers as a hub at %s: %w", u, err)
	}
	js, err := jetstream.New(conn)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &Client{name, conn, js}, nil
}

// MayAsk says why nothing may be asked of workers here, as with the token of one of them.
func (c *Client) MayAsk() error {
	sub, err := c.conn.SubscribeSync(subject(doneSubject, c.name))
	if err != nil {
		return err
	}
	err = errors.Join(c.conn.FlushTimeout(patience), sub.Unsubscribe())
	if errors.Is(c.conn.LastError(), nats.ErrPermissionViolation) {
		return &AddressError{errors.New("this is the token of workers; those who ask need that of the hub")}
	}
	return err
}

// An AddressError is that of an address or a token.
type AddressError struct{ err error }

func (e *AddressError) Error() string { return e.err.Error() }

// Close ends the connection.
func (c *Client) Close() { c.conn.Close() }

// Make makes the streams of a hub that are not there, for at most so many bytes, 0 for any number; three copies of each
// where the hub is a cluster of as many.
func (c *Client) Make(ctx context.Context, most int64) error {
	ctx, stop := context.WithTimeout(ctx, alive) // On a busy disk five seconds, the library's own, are not enough.
	defer stop()
	err := c.make(ctx, most, 3)
	if e := new(jetstream.APIError); errors.As(err, &e) { // It has not that many nodes.
		return c.make(ctx, most, 1)
	}
	return err
}

func (c *Client) make(ctx context.Context, most int64, copies int) error {
	if is := c.conn.MaxPayload(); is < leastMessage {
		return fmt.Errorf("its max_payload is %d bytes, and has to be %d", is, leastMessage)
	}
	share := func(of int64) int64 {
		if most == 0 {
			return -1
		}
		return most / 8 * of
	}
	_, err := c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: workStream,
		Subjects: []string{workSubject + ".*.*"}, Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew,
		DiscardNewPerSubject: true, MaxMsgsPerSubject: 1, MaxBytes: share(1), Replicas: copies})
	if err == nil {
		_, err = c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: doneStream,
			Subjects: []string{doneSubject + ".*.*.*"}, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
			MaxMsgsPerSubject: 1, MaxBytes: share(4), Replicas: copies})
	}
	if err == nil {
		_, err = c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: aliveStream,
			Subjects: []string{aliveSubject + ".*"}, Storage: jetstream.MemoryStorage, MaxMsgsPerSubject: 1, MaxAge: alive,
			AllowDirect: true, MaxBytes: 32 << 20})
	}
	if err == nil {
		_, err = c.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: filesBucket, MaxBytes: share(3),
			Replicas: copies})
	}
	if err == nil {
		_, err = c.js.CreateOrUpdateConsumer(ctx, workStream, jetstream.ConsumerConfig{Durable: consumer,
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease, MaxAckPending: 100_000, MaxDeliver: -1,
			MaxWaiting: 100_000})
	}
	return err
}

func subject(words ...string) string { return strings.Join(words, ".") }

// publish publishes, and waits until it is on the disk. What is there already under a subject is no error.
func (c *Client) publish(ctx context.Context, subject string, text []byte) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	_, err := c.js.Publish(ctx, subject, text)
	switch {
	case err == nil:
		return nil
	case strings.Contains(err.Error(), "maximum messages per subject exceeded"):
		return nil
	case strings.Contains(err.Error(), "maximum bytes exceeded"), strings.Contains(err.Error(), "insufficient"):
		return farm.ErrFull
	case errors.Is(err, nats.ErrMaxPayload):
		return fmt.Errorf("%w: %d bytes", farm.ErrLarge, len(text))
	}
	return err
}

// Offer implements farm.Engine. What can't be offered now is offered again, as where there is no room.
func (c *Client) Offer(ctx context.Context, job, bundle string, text []byte) error {
	err := c.publish(ctx, subject(workSubject, job, bundle), text)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w, or can't be reached: %w", farm.ErrFull, err)
	}
	return err
}

// Take implements farm.Engine. A request ends here when it ends at the hub, or else a bundle would go to nobody.
func (c *Client) Take(ctx context.Context) (*farm.Task, error) {
	from, err := c.js.Consumer(ctx, workStream, consumer)
	if err != nil {
		return nil, fmt.Errorf("the hub has no work stream: %w", err)
	}
	for {
		batch, err := from.Fetch(1, jetstream.FetchMaxWait(request))
		if err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			for m := range batch.Messages() {
				_ = m.Nak()
			}
			return nil, ctx.Err()
		case m, there := <-batch.Messages():
			if there {
				done := func(ctx context.Context) error {
					ctx, stop := context.WithTimeout(ctx, patience)
					defer stop()
					return m.DoubleAck(ctx)
				}
				return &farm.Task{Text: m.Data(), Extend: m.InProgress, Back: m.NakWithDelay, Done: done}, nil
			}
		}
		if err := batch.Error(); err != nil {
			return nil, err
		}
	}
}

// Answer implements farm.Engine.
func (c *Client) Answer(ctx context.Context, job, bundle string, text []byte) error {
	return c.publish(ctx, subject(doneSubject, c.name, job, bundle), text)
}

// Answers implements farm.Engine.
func (c *Client) Answers(ctx context.Context, job string, each func(farm.Reply)) error {
	for ctx.Err() == nil {
		if err := c.answers(ctx, job, each); err != nil {
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
	return ctx.Err()
}

func (c *Client) answers(ctx context.Context, job string, each func(farm.Reply)) error {
	from, err := c.js.OrderedConsumer(ctx, doneStream,
		jetstream.OrderedConsumerConfig{FilterSubjects: []string{subject(doneSubject, "*", job, "*")}})
	if err != nil {
		return err
	}
	messages, err := from.Messages(jetstream.WithMessagesErrOnMissingHeartbeat(true), jetstream.PullHeartbeat(patience))
	if err != nil {
		return err
	}
	defer messages.Stop()
	defer context.AfterFunc(ctx, messages.Stop)()
	for {
		m, err := messages.Next()
		if err != nil {
			return err
		}
		at, err := m.Metadata()
		if err != nil {
			return err
		}
		words := strings.Split(m.Subject(), ".")
		each(farm.Reply{Number: at.Sequence.Stream, Worker: words[1], Bundle: words[3], Text: m.Data()})
	}
}

// Forget implements farm.Engine.
func (c *Client) Forget(ctx context.Context, job string, number uint64) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	done, err := c.js.Stream(ctx, doneStream)
	if err != nil {
		return err
	}
	if number != 0 {
		return done.Purge(ctx, jetstream.WithPurgeSubject(subject(doneSubject, "*", job, "*")),
			jetstream.WithPurgeSequence(number+1))
	}
	work, err := c.js.Stream(ctx, workStream)
	if err != nil {
		return err
	}
	return errors.Join(done.Purge(ctx, jetstream.WithPurgeSubject(subject(doneSubject, "*", job, "*"))),
		work.Purge(ctx, jetstream.WithPurgeSubject(subject(workSubject, job, "*"))))
}

// Put implements farm.Engine.
func (c *Client) Put(ctx context.Context, hash string, content []byte) error {
	files, err := c.js.ObjectStore(ctx, filesBucket)
	if err != nil {
		return err
	}
	if info, err := files.GetInfo(ctx, hash); err == nil && info.Size == uint64(len(content)) {
		return nil
	}
	_, err = files.PutBytes(ctx, hash, content)
	if err != nil && strings.Contains(err.Error(), "maximum bytes exceeded") {
		return farm.ErrFull
	}
	return err
}

// Get implements farm.Engine.
func (c *Client) Get(ctx context.Context, hash string) ([]byte, error) {
	files, err := c.js.ObjectStore(ctx, filesBucket)
	if err != nil {
		return nil, err
	}
	return files.GetBytes(ctx, hash)
}

// Tell implements farm.Engine.
func (c *Client) Tell(ctx context.Context, text []byte) error {
	return c.publish(ctx, subject(aliveSubject, c.name), text)
}

// Told implements farm.Engine.
func (c *Client) Told(ctx context.Context) (*farm.Told, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	work, err := c.js.Consumer(ctx, workStream, consumer)
	if err != nil {
		return nil, err
	}
	is := work.CachedInfo()
	t := &farm.Told{Backlog: int(is.NumPending), Taken: is.NumAckPending, Lives: map[string][]byte{}}
	for _, stream := range []string{doneStream, workStream} {
		s, err := c.js.Stream(ctx, stream)
		if err != nil {
			return nil, err
		}
		t.Since += s.CachedInfo().Created.Format(time.RFC3339Nano)
	}
	lives, err := c.js.Stream(ctx, aliveStream)
	if err != nil {
		return nil, err
	}
	all, err := lives.Info(ctx, jetstream.WithSubjectFilter(aliveSubject+".*"))
	if err != nil {
		return nil, err
	}
	for subject := range all.State.Subjects {
		m, err := lives.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		t.Lives[strings.TrimPrefix(subject, aliveSubject+".")] = m.Data
	}
	return t, nil
}

// Writes says why nothing can be written to the store; that it is full by its own bounds is no reason.
func (c *Client) Writes(ctx context.Context) error {
	const none = "none"
	if err := c.publish(ctx, subject(doneSubject, c.name, none, none), nil); err != nil && !errors.Is(err, farm.ErrFull) {
		return err
	}
	return c.Forget(ctx, none, 0)
}

// Collect deletes the files that nobody needs, but for those that have just come.
func (c *Client) Collect(ctx context.Context, needed map[string]bool) error {
	files, err := c.js.ObjectStore(ctx, filesBucket)
	if err != nil {
		return err
	}
	all, err := files.List(ctx)
	if errors.Is(err, jetstream.ErrNoObjectsFound) {
		return nil
	}
	for _, file := range all {
		if !needed[file.Name] && time.Since(file.ModTime) > time.Hour {
			err = errors.Join(err, files.Delete(ctx, file.Name))
		}
	}
	return err
}

// NameOf is a name for a subject that stands for a text.
func NameOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
