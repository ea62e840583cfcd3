// Keeps the files of this folder: after one visit, all notebooks open and run without a network. The rest is
// JupyterLite's own.
const SHELF = "robotdyn";
const HERE = new URL("./", location.href);
const place = url => new URL(url.pathname, HERE).href; // the same file, whatever it was asked for
let all;
let quiet;
let release = () => {};

async function fresh(url) {
  const answer = await fetch(url);
  if (answer.ok) {
    const copy = answer.clone();
    const shelf = await caches.open(SHELF);
    shelf.put(place(url), copy).catch(() => {}); // without space a file is not kept, but shown
  }
  return answer;
}

// From the network, else as it was kept; where neither has it, a lost connection gets a second chance.
async function respond(url) {
  try {
    return await fresh(url);
  } catch {
    const kept = await caches.match(place(url));
    if (kept) return kept;
    await new Promise(done => setTimeout(done, 1000));
    return fresh(url);
  }
}

async function keepAll() {
  const shelf = await caches.open(SHELF);
  const names = await (await fresh(new URL("kept.json", HERE))).json();
  const kept = new Set((await shelf.keys()).map(request => request.url));
  for (const url of names.map(name => new URL(name, HERE))) if (!kept.has(place(url))) await shelf.add(place(url));
}

// When no file has been asked for during 5 s: what a reader waits for comes first.
function keepLater() {
  release();
  clearTimeout(quiet);
  return new Promise(done => {
    release = done;
    quiet = setTimeout(() => {
      all = keepAll()
        .catch(() => {
          all = undefined;
        })
        .finally(done);
    }, 5000);
  });
}

self.addEventListener("fetch", event => {
  const url = new URL(event.request.url);
  const talk = /\/api\/(drive|stdin|service-worker)/.test(url.pathname); // kernel and page speak through the worker
  if (event.request.method !== "GET" || url.origin !== HERE.origin || talk) return;
  event.stopImmediatePropagation();
  event.waitUntil(all ?? keepLater());
  event.respondWith(respond(url));
});

importScripts("jupyterlite-worker.js");
