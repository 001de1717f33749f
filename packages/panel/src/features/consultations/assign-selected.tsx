/** Bulk action that assigns the selected questions to one consultant, with one note. */
import { type Entry, rankOfRole } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import UserRoundCheck from 'lucide-react/icons/user-round-check'
import { useState } from 'react'
import { callerRoleOf, meQuery } from '../../api/session.ts'
import { useT } from '../../lib/i18n.ts'
import { AssignDialog } from './assign-dialog.tsx'

interface AssignSelectedProps {
  entries: readonly Entry[]
  className: string
  onDone: () => void
}

export function AssignSelected({ entries, className, onDone }: AssignSelectedProps) {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  const [isOpen, setOpen] = useState(false)
  if (!me || rankOfRole(callerRoleOf(me).role) < rankOfRole('admin')) return null
  return (
    <>
      <button type="button" className={className} onClick={() => setOpen(true)}>
        <UserRoundCheck size={15} aria-hidden />
        {t('action.assign')}
      </button>
      {isOpen ? (
        <AssignDialog
          records={entries}
          open
          onClose={(isDone) => {
            setOpen(false)
            if (isDone) onDone()
          }}
        />
      ) : null}
    </>
  )
}
