/** Checks incoming text for characters that a database cannot store (checklist §3). */

/** Tells whether text has a null byte or half a surrogate pair. */
export function isBrokenText(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

/** Keys that lead to the prototype of plain objects, at any level. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
