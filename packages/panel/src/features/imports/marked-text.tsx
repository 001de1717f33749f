/** A text of a file with probably wrong letters marked. */
import { type DoubtfulText, wrongLetterText } from './labels.ts'

/** Positions of wrong letters within a shown text; a fault of the import may concern a part of the text. */
function findMarks(text: string, { value, wrong_letters: wrongPositions = [] }: DoubtfulText): ReadonlySet<number> {
  const start = value === null ? -1 : text.indexOf(value)
  if (start < 0) return new Set()
  const lettersBefore = Array.from(text.slice(0, start)).length
  return new Set(wrongPositions.map((wrongPosition) => lettersBefore + wrongPosition))
}

/**
 * Range of the only wrong letter, in the units of a text field; undefined where there is none or there are
 * several.
 */
export function placeOfWrong(text: string, issue: DoubtfulText | undefined): readonly [number, number] | undefined {
  const [wrongPosition, ...otherPlaces] = issue ? findMarks(text, issue) : []
  if (wrongPosition === undefined || otherPlaces.length > 0) return undefined
  const letters = [...text]
  const start = letters.slice(0, wrongPosition).join('').length
  return [start, start + (letters[wrongPosition] ?? '').length]
}

export function MarkedText({ text, issue }: { text: string; issue: DoubtfulText }) {
  const wrongPositions = findMarks(text, issue)
  if (wrongPositions.size === 0) return text
  const issueText = wrongLetterText(issue)
  return (
    <>
      <span aria-hidden>
        {[...text].map((letter, letterPosition) =>
          wrongPositions.has(letterPosition) ? (
            <span
              // Letters of a text have no key except their position.
              key={`${letterPosition}`}
              data-wrong=""
              className="rounded-[3px] bg-[color-mix(in_oklab,var(--danger)_22%,var(--surface))] underline decoration-danger-text decoration-2 underline-offset-2"
            >
              {letter}
            </span>
          ) : (
            letter
          ),
        )}
      </span>
      <span className="sr-only">{issueText === '' ? text : `${text}. ${issueText}`}</span>
    </>
  )
}
