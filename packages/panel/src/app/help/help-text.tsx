/** A text of the help, in which `[action.save]` is replaced by the label of that control. */
import { firstTranslation } from '../../lib/i18n.ts'

export function HelpText({ text }: { text: string }) {
  return text.split(/\[([\w.-]+)\]/).map((textPiece, index) =>
    index % 2 === 0 ? (
      textPiece
    ) : (
      <b key={`${index}:${textPiece}`} className="font-semibold">
        {firstTranslation([textPiece])}
      </b>
    ),
  )
}
