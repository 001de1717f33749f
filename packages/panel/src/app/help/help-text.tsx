/** A text of the help: `[action.save]` in it is the name of a control, in the words that the control itself has. */
import { tFirst } from '../../lib/i18n.ts'

export function HelpText({ text }: { text: string }) {
  return text.split(/\[([\w.-]+)\]/).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <b key={`${index}:${piece}`} className="font-semibold">
        {tFirst([piece])}
      </b>
    ),
  )
}
