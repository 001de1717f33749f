/** Canned replies in a text: where one is called for, what its variables say, and which of them are still open. */

/** A place in a text, as a text field counts it. */
export interface Span {
  start: number
  end: number
}

export interface Call extends Span {
  /** What follows the slash. */
  query: string
}

/** A slash at the start of a word, and what was typed after it on the same line. */
const callBefore = /(?:^|\s)\/([^\s/][^\n/]{0,39})?$/

/** The canned reply that is called for right before the cursor; undefined when none is. */
export function calledAt(text: string, cursor: number): Call | undefined {
  const found = callBefore.exec(text.slice(0, cursor))
  if (!found) return undefined
  const query = found[1] ?? ''
  return { query, start: cursor - query.length - 1, end: cursor }
}

/** The text with a part of it replaced, and the cursor behind what was put in. */
export function putIn(text: string, { start, end }: Span, words: string): { text: string; cursor: number } {
  return { text: text.slice(0, start) + words + text.slice(end), cursor: start + words.length }
}

const variable = /\{\{\s*([^{}\n]{1,60}?)\s*\}\}/g

/** The text with its variables filled as far as they are known; the others stay as they are. */
export function fillVariables(text: string, values: Readonly<Record<string, string | undefined>>): string {
  return text.replace(variable, (whole, name: string) => (Object.hasOwn(values, name) && values[name]) || whole)
}

export interface OpenVariable extends Span {
  name: string
}

/** The variables that nobody has filled in yet. */
export function openVariables(text: string): OpenVariable[] {
  return [...text.matchAll(variable)].map(({ 0: whole, 1: name = '', index }) => ({
    name,
    start: index,
    end: index + whole.length,
  }))
}
