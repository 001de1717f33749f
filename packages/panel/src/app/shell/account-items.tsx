/** Items in the menu of the signed-in account. */
import { colourModes } from '@dala/model'
import BellRing from 'lucide-react/icons/bell-ring'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import Compass from 'lucide-react/icons/compass'
import Keyboard from 'lucide-react/icons/keyboard'
import LogOut from 'lucide-react/icons/log-out'
import ShieldCheck from 'lucide-react/icons/shield-check'
import UserRound from 'lucide-react/icons/user-round'
import { meQuery, nameOfUser } from '../../api/session.ts'
import { useT } from '../../lib/i18n.ts'
import { setPreferences, startPages, usePreferences } from '../../lib/preferences.ts'
import { shortcutsEvent } from '../../lib/keys/shortcuts-event.ts'
import type { MenuParts } from '../../ui/overlays/menu.tsx'
import { openHelp, startTour } from '../help/help-state.ts'
import { useSignOut } from '../use-sign-out.ts'
import { LanguageChoice, ThemeChoices } from './preference-menus.tsx'

export function AccountItems({ menu: { Item, Choice, Note }, compact }: { menu: MenuParts; compact: boolean }) {
  const t = useT()
  const { mode, startPage } = usePreferences()
  const signOut = useSignOut()
  const navigate = useNavigate()
  const { data: me } = useQuery(meQuery)
  // The user's own role stays visible, whatever role they view the panel as.
  const ownRole = me?.ownRole ?? me?.role?.type
  return (
    <>
      {me ? (
        <Note>
          <p className="font-semibold">{nameOfUser(me)}</p>
          <p className="text-sm text-muted">{ownRole ? t(`roles.values.type.${ownRole}`) : me.email}</p>
        </Note>
      ) : null}
      {compact ? (
        <>
          <LanguageChoice Choice={Choice} />
          <Choice
            label={t('theme.mode')}
            columns
            value={mode}
            onValueChange={(chosenMode) => setPreferences({ mode: chosenMode })}
            choices={colourModes.map((value) => ({ value, label: t(`theme.${value}`) }))}
          />
          <ThemeChoices Choice={Choice} />
        </>
      ) : null}
      <Choice
        label={t('nav.startPage')}
        columns
        value={startPage}
        onValueChange={(chosenPage) => setPreferences({ startPage: chosenPage })}
        choices={startPages.map((value) => ({ value, label: t(value === 'home' ? 'app.home' : 'nav.consultants') }))}
      />
      <Item icon={<UserRound size={17} aria-hidden />} onClick={() => void navigate({ to: '/app/profile' })}>
        {t('nav.profile')}
      </Item>
      <Item
        icon={<BellRing size={17} aria-hidden />}
        onClick={() => void navigate({ to: '/app/profile/notifications' })}
      >
        {t('nav.noticeSettings')}
      </Item>
      <Item icon={<ShieldCheck size={17} aria-hidden />} onClick={() => void navigate({ to: '/app/profile/security' })}>
        {t('nav.security')}
      </Item>
      <Item icon={<CircleQuestionMark size={17} aria-hidden />} onClick={openHelp}>
        {t('nav.help')}
      </Item>
      <Item icon={<Compass size={17} aria-hidden />} onClick={startTour}>
        {t('nav.tour')}
      </Item>
      <Item icon={<Keyboard size={17} aria-hidden />} onClick={() => window.dispatchEvent(new Event(shortcutsEvent))}>
        {t('nav.shortcuts')}
      </Item>
      <Item icon={<LogOut size={17} aria-hidden className="mirrored" />} onClick={signOut}>
        {t('nav.signOut')}
      </Item>
    </>
  )
}
