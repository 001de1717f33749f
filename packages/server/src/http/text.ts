/** Which text may come in: none that a database cannot store (checklist §3). */

/** Whether text has a null byte or half a surrogate pair. */
export function isBrokenText(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

/** Keys that reach the prototype of plain objects, wherever they stand. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
