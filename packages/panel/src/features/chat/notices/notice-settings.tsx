/** Sound and notifications of the desk in this browser: asked once, changed here later. */
import { Link } from '@tanstack/react-router'
import Bell from 'lucide-react/icons/bell'
import BellOff from 'lucide-react/icons/bell-off'
import { type MouseEvent, useId, useState } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Popover } from '../../../ui/overlays/popover.tsx'
import { Switch } from '../../../ui/inputs/switch.tsx'
import { chooseSound, type SoundChoice, useSoundChoice } from './sound.ts'

const notificationPermission = () => ('Notification' in window ? Notification.permission : 'denied')

/** Question about notifications, shown until the user answers. */
export function SoundQuestion() {
  const t = useT()
  const choose = (choice: SoundChoice, { currentTarget }: MouseEvent<HTMLElement>) => {
    // The question about sounds disappears with its answer, so the list of waiting rooms takes the focus.
    const pane = currentTarget.closest('section')?.parentElement
    pane?.querySelector<HTMLElement>('[data-rooms] [tabindex="0"]')?.focus({ preventScroll: true })
    chooseSound(choice)
  }
  if (useSoundChoice() !== undefined) return null
  return (
    <section
      aria-label={t('chat.notice.title')}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-sunken px-4 py-2 text-sm"
    >
      <p className="min-w-40 flex-1">{t('chat.notice.askSound')}</p>
      <div className="flex gap-2">
        <Button className="min-h-8 text-sm max-md:min-h-11" onClick={(event) => choose('on', event)}>
          {t('chat.notice.turnOn')}
        </Button>
        <Button kind="quiet" className="min-h-8 text-sm max-md:min-h-11" onClick={(event) => choose('off', event)}>
          {t('chat.notice.notNow')}
        </Button>
      </div>
    </section>
  )
}

export function NoticeSettings() {
  const t = useT()
  const isOn = useSoundChoice() === 'on'
  return (
    <Popover
      title={t('chat.notice.title')}
      trigger={
        <IconButton
          label={t('chat.notice.title')}
          icon={isOn ? <Bell size={19} aria-hidden /> : <BellOff size={19} aria-hidden />}
        />
      }
    >
      {() => <Settings />}
    </Popover>
  )
}

function Settings() {
  const t = useT()
  const id = useId()
  const isOn = useSoundChoice() === 'on'
  const [permission, setPermission] = useState(notificationPermission)
  return (
    <div className="grid gap-4">
      <div className="flex items-center justify-between gap-4">
        <span id={id}>{t('chat.notice.sound')}</span>
        <Switch checked={isOn} onCheckedChange={(on) => chooseSound(on ? 'on' : 'off')} aria-labelledby={id} />
      </div>
      <div className="grid gap-1.5 border-t border-line pt-4">
        {permission === 'granted' ? (
          <p className="text-success-text">{t('chat.notice.granted')}</p>
        ) : permission === 'denied' ? (
          <p className="text-muted">{t('chat.notice.denied')}</p>
        ) : (
          <Button onClick={() => void Notification.requestPermission().then(setPermission)}>
            {t('chat.notice.allow')}
          </Button>
        )}
      </div>
      <Link to="/app/profile" className={buttonClass('quiet', 'justify-self-start px-0!')}>
        {t('chat.notice.toProfile')}
      </Link>
    </div>
  )
}
