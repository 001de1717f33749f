/** Who is writing in the room now, in words above the composer; its line keeps its height, so that nothing jumps. */
import { nameOfCard } from '../../../api/error-toasts.ts'
import { formatList } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import type { OpenRoom } from '../chat-data.ts'

export function TypingLine({ room, typists }: { room: OpenRoom; typists: readonly number[] }) {
  const t = useT()
  const people = [room.sender, room.receiver, room.assignee].filter((person) => person !== null)
  const names = typists.map((id) => {
    const found = people.find((person) => person.id === id)
    return found ? nameOfCard(found) : t('chat.colleague')
  })
  return (
    <output className="-mt-1.5 block truncate text-xs text-muted empty:hidden">
      {names.length > 0 ? t('chat.typing', { name: formatList(t, [...new Set(names)]) }) : null}
    </output>
  )
}
