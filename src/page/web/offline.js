// The page of a host without a network: the browser keeps its files, and takes them from there. Another page has another name here,
// by its checksum: then the browser fetches all of them anew, and shows them from the next visit on.
"use strict";

const PREFIX = `amazons ${location.pathname} `;
const NAME = PREFIX + "{checksum}";

/** What is kept, by addresses beside this one. */
const FILES = ["./", "manifest.webmanifest", "icon-192.png", "icon-512.png"];

/** Fetches all files past the browser's own store, which may hold those of before. */
async function fetchAll() {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
}

/** Takes away the files of before. */
async function tidy() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== NAME).map((name) => caches.delete(name)));
}

/** The file that is kept, else what the network has. The page is the same whatever stands behind its address. @param {Request} request */
async function answer(request) {
  const cache = await caches.open(NAME);
  const file = request.mode === "navigate" ? "./" : request;
  return (await cache.match(file, { ignoreSearch: true })) ?? fetch(request);
}

addEventListener("install", (/** @type {any} */ event) => event.waitUntil(fetchAll()));
addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(tidy()));
addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});
