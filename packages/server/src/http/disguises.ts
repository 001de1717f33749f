/**
 * Pattern of characters that disguise a text in one line: controls, among them those of terminals, ends of lines, and
 * direction marks.
 */
export const disguises = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
