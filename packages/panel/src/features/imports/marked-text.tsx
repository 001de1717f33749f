/** A text of a file with probably wrong letters marked. */
import { type DoubtfulText, wrongLetterText } from './labels.ts'

/** Positions of wrong letters within a shown text; a fault of the import may concern a part of the text. */
function findMarks(text: string, { value, wrong_letters: places = [] }: DoubtfulText): ReadonlySet<number> {
  const start = value === null ? -1 : text.indexOf(value)
  if (start < 0) return new Set()
  const before = Array.from(text.slice(0, start)).length
  return new Set(places.map((place) => before + place))
}

/**
 * Range of the only wrong letter, in the units of a text field; undefined where there is none or there are
 * several.
 */
export function placeOfWrong(text: string, issue: DoubtfulText | undefined): readonly [number, number] | undefined {
  const [place, ...otherPlaces] = issue ? findMarks(text, issue) : []
  if (place === undefined || otherPlaces.length > 0) return undefined
  const letters = [...text]
  const start = letters.slice(0, place).join('').length
  return [start, start + (letters[place] ?? '').length]
}

export function MarkedText({ text, issue }: { text: string; issue: DoubtfulText }) {
  const places = findMarks(text, issue)
  if (places.size === 0) return text
  const issueText = wrongLetterText(issue)
  return (
    <>
      <span aria-hidden>
        {[...text].map((letter, place) =>
          places.has(place) ? (
            <span
              // Letters of a text have no key except their position.
              key={`${place}`}
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
