// Service worker of the page on a web host: caches the page's files, so that the page works offline. The cache's name
// contains the page's checksum. After an update the browser fetches all files anew and shows the new page from the next
// visit on.
"use strict";

/** Prefix of the names of this page's caches; other pages of the same host have other paths. */
const PREFIX = `amazons ${location.pathname} `;
/** Name of this version's cache; the packer replaces the placeholder by the page's SHA-256 checksum. */
const NAME = PREFIX + "{checksum}";

/** Addresses of the files to cache, relative to this script. */
const FILES = ["./", "manifest.webmanifest", "icon-192.png", "icon-512.png"];

/**
 * Downloads all files into the cache of this version. Bypasses the browser's HTTP cache, which may contain files of an
 * older version.
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
 * Returns the cached response to a request, or downloads the file if it is not cached. Ignores query strings, because
 * the page is the same file for each of them.
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
