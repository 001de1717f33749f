/**
 * The menu of the signed-in account: the user, their settings, and signing out. On a phone also the
 * appearance of the panel.
 */
import { useQuery } from '@tanstack/react-query'
import { meQuery, nameOfUser } from '../../api/session.ts'
import { pictureOf } from '../../fields/picture/picture.ts'
import { useT } from '../../lib/i18n.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { iconButtonClass } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { lazyPart, preload } from '../../ui/lazy-part.ts'

const load = () => import('./account-items.tsx')
/** Items of the account menu, loaded together with the menu: its button stays until both are ready. */
const AccountItems = lazyPart(async () => (await load()).AccountItems)

export function AccountMenu({ compact }: { compact: boolean }) {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  const name = me ? nameOfUser(me) : ''
  const photo = pictureOf(me?.avatar)
  return (
    <Menu
      trigger={
        <button
          type="button"
          data-tour="account"
          aria-label={name ? t('nav.account', { name }) : t('nav.accountMenu')}
          className={`${iconButtonClass} ms-2 rounded-full!`}
          onPointerDown={() => preload(load)}
        >
          <Avatar name={name} src={photo?.src} srcSet={photo?.srcSet || undefined} position={photo?.position} isRound />
        </button>
      }
    >
      {(menu) => <AccountItems menu={menu} compact={compact} />}
    </Menu>
  )
}
