// Service worker of the page on a web host: caches the page's files, so that the page works without a network. The name
// of the cache contains the checksum of the page. After an update the browser downloads all files into a new cache, and
// the next visit shows the new page.
"use strict";

/** Prefix of the names of this page's caches. It contains the path, because all pages of a host share their caches. */
const PREFIX = `amazons ${location.pathname} `;
/**
 * Name of the cache of this version of the page. The program that builds the page replaces the placeholder by the
 * page's SHA-256 checksum.
 */
const NAME = PREFIX + "{checksum}";

/** Addresses of the files to cache, relative to the address of this script. `./` is the page itself. */
const FILES = ["./", "manifest.webmanifest", "icon-192.png", "icon-512.png"];

/**
 * Downloads all files into the cache of this version of the page. Bypasses the browser's HTTP cache, which may contain
 * older files.
 */
async function fillCache() {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
}

/** Deletes the caches of older versions of the page. */
async function deleteOldCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== NAME).map((name) => caches.delete(name)));
}

/**
 * Returns the response to a request of the page: the cached file, or if the file is not in the cache, the file
 * downloaded from the host. Every request to open the page, with any query string, gets the same cached page.
 * @param {Request} request
 */
async function respond(request) {
  const cache = await caches.open(NAME);
  const file = request.mode === "navigate" ? "./" : request;
  return (await cache.match(file, { ignoreSearch: true })) ?? fetch(request);
}

addEventListener("install", (/** @type {any} */ event) => event.waitUntil(fillCache()));
addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(deleteOldCaches()));
addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method === "GET") event.respondWith(respond(event.request));
});
