package shipped

import "embed"

var files embed.FS // empty
