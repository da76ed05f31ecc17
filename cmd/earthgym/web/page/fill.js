/** fill is a text with its places {name} filled. */
export function fill(text, args = {}) {
  return text.replace(/\{(\w+)\}/g, (place, name) => args[name] ?? place);
}
