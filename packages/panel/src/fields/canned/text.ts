/**
 * Canned replies in a text: finds the call at the cursor, fills variables, and lists variables that are still
 * open.
 */

/** Range of a canned reply in a text, in the units of a text field. */
export interface Span {
  start: number
  end: number
}

export interface ReplyCall extends Span {
  /** Search text of a canned reply, after the slash. */
  query: string
}

/**
 * Pattern of the call of a canned reply: a slash at the start of a word, and the text typed after it on the
 * same line.
 */
const callPattern = /(?:^|\s)\/([^\s/][^\n/]{0,39})?$/

/** Finds the call of a canned reply that ends at the cursor; undefined when there is none. */
export function replyCallAt(text: string, cursor: number): ReplyCall | undefined {
  const callMatch = callPattern.exec(text.slice(0, cursor))
  if (!callMatch) return undefined
  const query = callMatch[1] ?? ''
  return { query, start: cursor - query.length - 1, end: cursor }
}

/** Replaces a range of a text; the cursor ends behind the inserted text. */
export function insertReply(text: string, { start, end }: Span, replacement: string): { text: string; cursor: number } {
  return { text: text.slice(0, start) + replacement + text.slice(end), cursor: start + replacement.length }
}

const variable = /\{\{[^\S\n]*([^{}\n]{1,60}?)[^\S\n]*\}\}/g

/** Fills the variables of a canned reply whose value is known; the others stay as they are. */
export function fillVariables(text: string, values: Readonly<Record<string, string | undefined>>): string {
  return text.replace(
    variable,
    (placeholder, name: string) => (Object.hasOwn(values, name) && values[name]) || placeholder,
  )
}

export interface OpenVariable extends Span {
  name: string
  /** The variable as it is written in the text. */
  source: string
}

/** Variables of a canned reply that still have no value. */
export function openVariables(text: string): OpenVariable[] {
  return [...text.matchAll(variable)].map(({ 0: placeholder, 1: name = '', index }) => ({
    name,
    source: placeholder,
    start: index,
    end: index + placeholder.length,
  }))
}

/** Text that a rich text shows; each of its blocks is a line. */
export function shownTextOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html.replace(/<\/(?:p|h[1-6]|li)>|<br>/g, '\n$&'), 'text/html')
  return body.textContent
}

/** Line breaks within a paragraph divide its lines; an empty line ends the paragraph. */
export const paragraphsOf = (text: string): string[][] =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.split('\n').map((line) => line.trim()))
