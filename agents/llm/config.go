//go:build !js

package llm

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"earthgym/env/spelling"
)

// How much a model is told of what is legal.
const (
	legalList     = "list"
	legalFamilies = "families"
	legalNone     = "none"
)

// How a server is asked for JSON.
const (
	formatSchema = "schema"
	formatJSON   = "json"
	formatText   = "text"
)

// formats are these, from the strictest on.
var formats = []string{formatSchema, formatJSON, formatText}

// defaultKey is the environment variable of the server's key.
const defaultKey = "EARTHGYM_LLM_KEY"

// Environ is the environment for programs that are started: this program's own, without EARTHGYM_LLM_KEY.
func Environ() []string {
	return slices.DeleteFunc(os.Environ(),
		func(variable string) bool { return strings.HasPrefix(variable, defaultKey+"=") })
}

// A config is how a model is asked.
type config struct {
	endpoint    string
	model       string
	legal       string
	limit       time.Duration
	tries       int
	tokens      int
	budget      int
	format      string
	temperature *float64
	prices      *prices
	key         string // the secret itself
	log         string
}

// maxPrice bounds what a million tokens cost.
const maxPrice = 1e9

// prices are per million tokens.
type prices struct{ in, out float64 }

var options = []string{"model", "legal", "limit", "tries", "tokens", "budget", "format", "temperature", "price", "key",
	"log"}

// readConfig reads a URL and options.
func readConfig(text string) (*config, error) {
	words := strings.Split(text, ",")
	c := &config{legal: legalList, limit: 2 * time.Minute, tries: 3, tokens: 1024, format: formatSchema}
	variable := defaultKey
	for _, option := range words[1:] {
		name, value, _ := strings.Cut(option, "=")
		if err := c.set(name, value, &variable); err != nil {
			return nil, err
		}
	}
	if c.model == "" {
		return nil, errors.New("name the model: llm:http://127.0.0.1:8080/v1,model=NAME")
	}
	c.key = os.Getenv(variable)
	if c.key == "" && variable != defaultKey {
		return nil, errors.New("the environment variable that key= names is empty")
	}
	return c, c.setEndpoint(words[0])
}

func (c *config) set(name, value string, variable *string) (err error) {
	oneOf := func(dst *string, among ...string) {
		if *dst = value; slices.Contains(among, value) {
			return
		}
		err = fmt.Errorf("%s=%s: %s", name, value, spelling.Suggest(value, among))
	}
	whole := func(dst *int, least int) {
		n, e := strconv.Atoi(value)
		if e != nil || n < least {
			err = fmt.Errorf("%s=%s: it is a whole number from %d", name, value, least)
		}
		*dst = n
	}
	switch name {
	case "model":
		c.model = value
	case "legal":
		oneOf(&c.legal, legalList, legalFamilies, legalNone)
	case "format":
		oneOf(&c.format, formats...)
	case "limit":
		if c.limit, err = time.ParseDuration(value); err != nil || c.limit <= 0 {
			return fmt.Errorf("limit=%s: it is the time for one decision, such as limit=90s", value)
		}
	case "tries":
		whole(&c.tries, 1)
	case "tokens":
		whole(&c.tokens, 1)
	case "budget":
		whole(&c.budget, 0)
	case "temperature":
		t, e := strconv.ParseFloat(value, 64)
		if e != nil || !(t >= 0 && t <= 10) {
			return fmt.Errorf("temperature=%s: it is a number from 0 to 10", value)
		}
		c.temperature = &t
	case "price":
		in, out, ok := strings.Cut(value, "/")
		x, errIn := strconv.ParseFloat(in, 64)
		y, errOut := strconv.ParseFloat(out, 64)
		if !ok || errIn != nil || errOut != nil || !(x >= 0 && x <= maxPrice) || !(y >= 0 && y <= maxPrice) {
			return fmt.Errorf("price=%s: it is the price of a million tokens, in and out: price=0.5/2", value)
		}
		c.prices = &prices{x, y}
	case "key":
		*variable = value
		if value == "" || strings.ContainsFunc(value, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
		}) {
			return errors.New("key= names the environment variable that holds the key, such as key=MY_KEY; the key itself " +
				"stands nowhere else")
		}
	case "log":
		c.log = value
	default:
		return fmt.Errorf("unknown option %q of llm: %s", name, spelling.Suggest(name, options))
	}
	return err
}

// setEndpoint finds where the chat completions of a server are.
func (c *config) setEndpoint(text string) error {
	const example = "such as http://127.0.0.1:8080/v1"
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return fmt.Errorf("the URL of the server can't be read: it is %s", example)
	case u.User != nil || u.RawQuery != "":
		return fmt.Errorf("the URL of the server holds what may be a secret: its key belongs into the environment (%s)",
			defaultKey)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("%q is not the URL of a server, %s", spelling.Printable(text), example)
	case c.key != "" && u.Scheme == "http" && !loopback(u.Hostname()):
		return fmt.Errorf("the key is not sent to %s over plain HTTP, where others can read it: give an https URL, or a "+
			"tunnel to it", u.Host)
	}
	if !strings.HasSuffix(u.Path, "/chat/completions") {
		u = u.JoinPath("chat", "completions")
	}
	c.endpoint = u.String()
	return nil
}

// loopback says whether a host is this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
