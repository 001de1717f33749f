/**
 * The trusted types policy: what the browser may use as HTML or as a script under the content security
 * policy.
 */

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
  // Some browsers lack trusted types (checklist §9: where available).
  var trustedTypes: TrustedTypes | undefined
}

/** Documents without a window, which load and run nothing; their contents are sanitised or read as text. */
const parserSink = 'DOMParser parseFromString'
/** HTML that the map library uses to detect features of the browser. */
const harmlessHtml = new Set(['', '<svg/>'])

/**
 * Decides whether a text may become HTML at a place in the browser; null refuses it.
 *
 * The place is unknown when a library asks before it fills a document without a window: the editor does so
 * with pasted content, and keeps only what its schema allows.
 */
export function allowHtml(html: string, sink: string | undefined): string | null {
  return sink === undefined || sink === parserSink || harmlessHtml.has(html) ? html : null
}

/** Address of the only script that the panel starts by its address. */
export const workerAddress = '/service-worker.js'

/** Decides whether an address may become a script that the page starts. */
export const allowProgram = (address: string): string | null => (address === workerAddress ? address : null)

globalThis.trustedTypes?.createPolicy('default', {
  createHTML: (html, _kind, sink) => allowHtml(html, sink),
  createScriptURL: allowProgram,
})
