/** A text whose glossary terms are underlined. */
import { Fragment } from 'react'
import { termParts } from './glossary.ts'

export function MarkedTerms({ text, terms }: { text: string; terms: readonly string[] }) {
  if (terms.length === 0) return text
  return termParts(text, terms).map((part, index) =>
    part.isTerm ? (
      <mark
        key={index}
        className="bg-transparent text-inherit underline decoration-dotted decoration-from-font underline-offset-[3px]"
      >
        {part.text}
      </mark>
    ) : (
      <Fragment key={index}>{part.text}</Fragment>
    ),
  )
}
