/** Rare actions on a whole record, behind one button of its head: history, duplicate, delete. */
import type { Entry, Screen } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import Copy from 'lucide-react/icons/copy'
import Ellipsis from 'lucide-react/icons/ellipsis'
import History from 'lucide-react/icons/history'
import Trash2 from 'lucide-react/icons/trash-2'
import { use, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { useIsMounted } from '../../lib/hooks/use-is-mounted.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { DeleteRecordDialog } from './delete-dialog.tsx'
import { type Address, copyAddress, listAddress } from '../screen-address.ts'
import { useMay } from '../use-may.ts'
import { HistoryContext } from '../history/with-history.tsx'

export function RecordMenu({
  screen,
  record,
  name,
  home,
  duplicate,
  onDeleted,
}: {
  screen: Screen
  record: Entry
  name: string
  /** Address to open after the record is deleted, when that is not the list of the screen. */
  home?: string
  /** Duplicates the record with its parts; see `OverviewSlots`. */
  duplicate?: (record: Entry) => Promise<Address>
  onDeleted?: () => void
}) {
  const t = useT()
  const navigate = useNavigate()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const isMounted = useIsMounted()
  const openHistory = use(HistoryContext)
  const may = useMay(screen.resource)
  const cache = useQueryClient()
  const duplication = useMutation({
    mutationFn: () => (duplicate ? duplicate(record) : Promise.resolve(copyAddress(screen, record.id))),
    onSuccess: async (address) => {
      if (duplicate) await cache.invalidateQueries({ queryKey: ['resource'] })
      if (isMounted()) await navigate(address)
    },
  })
  const mayCopy = !screen.resource.single && may('create')
  const mayRemove = !screen.resource.single && may('remove', record)
  if (!openHistory && !mayCopy && !mayRemove) return null
  return (
    <>
      <Menu trigger={<IconButton label={t('form.more')} icon={<Ellipsis size={18} aria-hidden />} />}>
        {({ Item }) => (
          <>
            {openHistory ? (
              <Item icon={<History size={16} aria-hidden />} onClick={() => openHistory()}>
                {t('history.open')}
              </Item>
            ) : null}
            {mayCopy ? (
              <Item icon={<Copy size={16} aria-hidden />} onClick={() => duplication.mutate()}>
                {t('action.duplicate')}
              </Item>
            ) : null}
            {mayRemove ? (
              <Item isDangerous icon={<Trash2 size={16} aria-hidden />} onClick={() => setDialogOpen(true)}>
                {t('action.delete')}
              </Item>
            ) : null}
          </>
        )}
      </Menu>
      <DeleteRecordDialog
        resource={screen.resource}
        labelPrefix={screen.labelPrefix}
        record={isDialogOpen ? record : null}
        name={name}
        onClose={() => setDialogOpen(false)}
        onDeleted={() => {
          onDeleted?.()
          // A user who has left the page of the deleted record stays where they are.
          if (!isMounted()) return
          void navigate({ ...(home === undefined ? listAddress(screen) : { to: home }), ignoreBlocker: true })
        }}
      />
    </>
  )
}
