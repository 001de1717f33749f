/** The button beside "Add new" that invites a user by e-mail, for users who may create such accounts. */
import type { Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import MailPlus from 'lucide-react/icons/mail-plus'
import { useState } from 'react'
import { meQuery } from '../../api/session.ts'
import { useT } from '../../lib/i18n.ts'
import { useMay } from '../../resource/use-may.ts'
import { Button } from '../../ui/button.tsx'
import { useWasEverTrue } from '../../ui/use-ever.ts'
import { grantableRoles } from './grantable.ts'
import { leastRoleOf } from './use-grantable.ts'
import { AwaitedPart } from '../../ui/awaited.tsx'
import { lazyFeature } from '../../ui/lazy-part.ts'

const InviteDialog = lazyFeature(async () => (await import('./invite-dialog.tsx')).InviteDialog)

export function InviteButton({ screen }: { screen: Screen }) {
  const t = useT()
  const may = useMay(screen.resource)
  const { data: me } = useQuery(meQuery)
  const [isOpen, setOpen] = useState(false)
  const wasOpened = useWasEverTrue(isOpen)
  const roles = grantableRoles(me?.role?.type ?? 'public', leastRoleOf(screen.resource))
  if (!may('create') || roles.length === 0) return null
  return (
    <>
      <Button icon={<MailPlus size={17} aria-hidden />} onClick={() => setOpen(true)}>
        <span data-word="">{t('people.invite')}</span>
      </Button>
      {wasOpened ? (
        <AwaitedPart onGiveUp={() => setOpen(false)}>
          <InviteDialog screen={screen} open={isOpen} onClose={() => setOpen(false)} />
        </AwaitedPart>
      ) : null}
    </>
  )
}
