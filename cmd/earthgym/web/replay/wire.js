// What the page asks of the game that is in the page itself: the same as wire.js of the server's page, of which it needs
// the film, its stories and its positions.

export const key = "alone";

const { film, lines, views } = replay;

/** edited is a board, as a list of lines, with an edit. */
function edited(board, edit) {
  if (edit.all) return edit.all;
  const now = board.slice();
  for (let i = 0; i < (edit.set?.length ?? 0); i += 2) now[edit.set[i]] = edit.set[i + 1];
  return now;
}

// Each board of the first view is an edit of the one before it, each of the others one of the first view's.
for (const view of views) {
  let edit = {};
  let now = [];
  view.lines = view.boards.map((next, n) => {
    if (view === views[0]) return now = next ? edited(now, next) : now;
    edit = next ?? edit;
    return edited(views[0].lines[n], edit);
  });
}

const answers = {
  film: () => ({ version: 1, trained: 0, more: false, film }),
  story: (view) => view.story,
  at: (view, n) => ({ board: view.lines[n].map((k) => lines[k]).join(""), text: "", actor: view.actors[n], question: view.questions[n], last: view.lasts[n] }),
};

export async function get(path, query) {
  const q = new URLSearchParams(query);
  if (path === "film" && q.get("version") === "1") return Response.json({ version: 1, trained: 0, more: false });
  return Response.json(answers[path](views.find((v) => v.viewer === Number(q.get("as") ?? views[0].viewer)), Number(q.get("n"))));
}

export async function post() {
  throw new Error("This game is over.");
}

/** begun is the decision at which the game is looked at first; shown writes the one that is looked at now into the address. */
export const begun = () => Number(location.hash.slice(1)) || 0;
export const shown = (n) => history.replaceState(null, "", `#${n}`);
