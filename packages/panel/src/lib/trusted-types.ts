/** What the browser may take as HTML or as a program where the content policy asks for trusted types: nothing foreign that could run. */

interface TrustedTypes {
  createPolicy(
    name: 'default',
    rules: {
      createHTML: (html: string, kind?: string, sink?: string) => string | null
      createScriptURL: (address: string) => string | null
    },
  ): unknown
}

declare global {
  // Not every browser has it (checklist §9: where it works).
  var trustedTypes: TrustedTypes | undefined
}

/** Documents without a window: nothing in them is loaded or run, and what is taken out of them is cleaned or read as text. */
const inert = 'DOMParser parseFromString'
/** Looked at by the map library to find out what the browser can draw. */
const harmless = new Set(['', '<svg/>'])

/**
 * Tells whether a text may become HTML at a place in the browser; null refuses it.
 *
 * The place is unknown when a library asks by itself before it fills a document without a window: the editor does so
 * with what is pasted, and keeps only what its schema knows.
 */
export function allowHtml(html: string, sink: string | undefined): string | null {
  return sink === undefined || sink === inert || harmless.has(html) ? html : null
}

/** The one program whose address is given to the browser by name. */
export const workerAddress = '/service-worker.js'

/** Tells whether an address may become a program that the page starts. */
export const allowProgram = (address: string): string | null => (address === workerAddress ? address : null)

globalThis.trustedTypes?.createPolicy('default', {
  createHTML: (html, _kind, sink) => allowHtml(html, sink),
  createScriptURL: allowProgram,
})
