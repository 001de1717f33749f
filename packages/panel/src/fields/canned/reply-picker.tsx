/** Combobox that inserts a canned reply into a rich text, with its variables filled. */
import { type Locale, localeNames } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { useT } from '../../lib/i18n.ts'
import { Combobox } from '../../ui/inputs/combobox.tsx'
import { FailureLine } from '../../ui/inputs/field.tsx'
import { cannedQuery, findReplies } from './replies.ts'
import { fillVariables } from './text.ts'

export interface ReplyPickerProps {
  /** Language of the reader, whose canned replies are offered first. */
  language: Locale
  /** Values of a canned reply's variables, in the language of the reply. */
  variablesIn: (language: Locale) => Readonly<Record<string, string | undefined>>
  onPick: (text: string) => void
}

/** Maximum number of characters of a reply in the list. */
const shownLength = 80

const beginningOf = (text: string) => (text.length > shownLength ? `${text.slice(0, shownLength).trimEnd()}…` : text)

export function ReplyPicker({ language, variablesIn, onPick }: ReplyPickerProps) {
  const t = useT()
  const [text, setText] = useState('')
  const { data, error, isLoading } = useQuery(cannedQuery)
  const foundReplies = data ? findReplies(data, text, language) : []
  return (
    <div className="grid gap-1.5">
      <Combobox
        aria-label={t('chat.quickReplies')}
        placeholder={data?.length === 0 ? t('chat.cannedNone') : t('chat.quickReplies')}
        value={null}
        onValueChange={(option) => {
          const reply = foundReplies.find(({ id }) => id === option?.value)
          if (!reply) return
          setText('')
          // The editor takes the focus once the closed list has returned it to the input.
          requestAnimationFrame(() => onPick(fillVariables(reply.text, variablesIn(reply.locale))))
        }}
        options={foundReplies.map(({ id, title, text: body, locale }) => ({
          value: id,
          label: title,
          note: `${localeNames[locale]} · ${beginningOf(body)}`,
        }))}
        loading={isLoading}
        onSearch={setText}
      />
      <FailureLine>{error ? messageOfFailure(error) : undefined}</FailureLine>
    </div>
  )
}
