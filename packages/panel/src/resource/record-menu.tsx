/** Rare actions on the whole record, behind one button of the form's head. */
import type { Entry, Screen } from '@dala/model'
import { useNavigate } from '@tanstack/react-router'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { useT } from '../lib/i18n.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu } from '../ui/menu.tsx'
import { DeleteRecordDialog } from './delete-record-dialog.tsx'
import { listAddress } from './screen-address.ts'

export function RecordMenu({
  screen,
  record,
  name,
  home,
  onDeleted,
}: {
  screen: Screen
  record: Entry
  name: string
  /** Where one goes when the record is gone, when that is not its list. */
  home?: string
  onDeleted?: () => void
}) {
  const t = useT()
  const navigate = useNavigate()
  const [asked, setAsked] = useState(false)
  return (
    <>
      <Menu trigger={<IconButton label={t('form.more')} icon={<Ellipsis size={18} aria-hidden />} />}>
        {({ Item }) => (
          <Item danger icon={<Trash2 size={16} aria-hidden />} onClick={() => setAsked(true)}>
            {t('action.delete')}
          </Item>
        )}
      </Menu>
      <DeleteRecordDialog
        resource={screen.resource}
        words={screen.words}
        record={asked ? record : null}
        name={name}
        onClose={() => setAsked(false)}
        onDeleted={() => {
          onDeleted?.()
          void navigate({ ...(home === undefined ? listAddress(screen) : { to: home }), ignoreBlocker: true })
        }}
      />
    </>
  )
}
