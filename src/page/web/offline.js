// Service worker of the page on a web host: caches the page's files, so that the page works offline. The cache's name contains
// the page's checksum. After an update the browser fetches all files anew and shows the new page from the next visit on.
"use strict";

const PREFIX = `amazons ${location.pathname} `;
const NAME = PREFIX + "{checksum}";

/** Addresses of the cached files, relative to this script. */
const FILES = ["./", "manifest.webmanifest", "icon-192.png", "icon-512.png"];

/** Fills the cache from the network, bypassing the browser's HTTP cache, which may hold files of an older version. */
async function fetchAll() {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
}

/** Deletes the caches of older versions of the page. */
async function tidy() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== NAME).map((name) => caches.delete(name)));
}

/**
 * Answers a request from the cache, or from the network if the file is not cached. Query strings are ignored: the page is the
 * same file for each of them.
 * @param {Request} request
 */
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
