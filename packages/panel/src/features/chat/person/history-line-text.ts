/** Text for an event in a room's history: its action and its note. */
import { resources, type RoomHistoryLine } from '@dala/model'
import { nameOfPerson } from '../../../api/error-toasts.ts'
import type { Translate } from '../../../lib/format.ts'
import { hasMessage } from '../../../lib/i18n.ts'

const isState = (value: unknown): value is 'open' | 'waiting_customer' | 'closed' =>
  resources.chatrooms.fields.state.values.some((state) => state === value)

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

export function historyLineText(
  t: Translate,
  { action, data }: Pick<RoomHistoryLine, 'action' | 'data'>,
): { text: string; detail?: string | undefined } {
  const { from, to, note, reason, text, before, score, comment } = data
  if (action === 'assigned') {
    const name = nameOfPerson(to)
    const previousName = nameOfPerson(from)
    const text = name
      ? previousName
        ? t('chat.happened.handedOver', { from: previousName, to: name })
        : t('chat.happened.assigned', { name })
      : t('chat.happened.released')
    return { text, detail: textOf(note) }
  }
  if (action === 'state' && isState(to)) return { text: t(`chat.happened.state.${to}`), detail: textOf(reason) }
  if (action === 'no_reply') return { text: t('chat.happened.no_reply'), detail: textOf(reason) }
  if (action === 'rated' && typeof score === 'number') {
    return { text: t('chat.happened.rated', { score }), detail: textOf(comment) }
  }
  const key = `chat.happened.${action}`
  return { text: hasMessage(key) ? t(key) : action, detail: textOf(before) ?? textOf(text) }
}
