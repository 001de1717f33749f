/** The signed-in account: who it is, and the way out. On a phone the look of the panel is chosen here too. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import LogOut from 'lucide-react/icons/log-out'
import { meQuery, nameOfUser, signOut } from '../../api/session.ts'
import { useT } from '../../lib/i18n.ts'
import { modes, setPreferences, usePreferences } from '../../lib/preferences.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { iconButtonClass } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.ts'
import { LanguageChoice, ThemeChoices } from './preference-menus.tsx'

export function AccountMenu({ compact }: { compact: boolean }) {
  const t = useT()
  const { mode } = usePreferences()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const name = me ? nameOfUser(me) : ''
  const leave = useMutation({
    mutationFn: signOut,
    meta: { inPlace: true },
    onMutate: async () => {
      // `signOut` forgets the token before its call, so the guard lets this pass at once.
      await Promise.resolve()
      await navigate({ to: '/user/login', replace: true })
      // Only now: screens still drawn would ask again without a token.
      queryClient.clear()
      showToast({ kind: 'success', title: t('message.signedOut') })
    },
  })
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={name ? t('nav.account', { name }) : t('nav.accountMenu')}
          className={`${iconButtonClass} ms-2 rounded-full!`}
        >
          <Avatar name={name} round />
        </button>
      }
    >
      {({ Item, Choice, Note }) => (
        <>
          {me ? (
            <Note>
              <p className="font-semibold">{name}</p>
              <p className="text-sm text-muted">{me.role ? t(`roles.values.type.${me.role.type}`) : me.email}</p>
            </Note>
          ) : null}
          {compact ? (
            <>
              <LanguageChoice Choice={Choice} />
              <Choice
                label={t('theme.mode')}
                columns
                value={mode}
                onValueChange={(chosen) => setPreferences({ mode: chosen })}
                choices={modes.map((value) => ({ value, label: t(`theme.${value}`) }))}
              />
              <ThemeChoices Choice={Choice} />
            </>
          ) : null}
          <Item icon={<LogOut size={17} aria-hidden className="mirrored" />} onClick={() => leave.mutate()}>
            {t('nav.signOut')}
          </Item>
        </>
      )}
    </Menu>
  )
}
