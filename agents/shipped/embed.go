//go:build !js

package shipped

import "embed"

//go:embed networks
var files embed.FS
