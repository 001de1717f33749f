/** The contents of the help panel for the open page. */
import { guideAddress, type HelpNeed, type HelpFact, isRoleType, lowestAllowedRole, rankOfRole } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import BookOpen from 'lucide-react/icons/book-open'
import Keyboard from 'lucide-react/icons/keyboard'
import Lock from 'lucide-react/icons/lock'
import { use } from 'react'
import { callerRoleOf, type CurrentUser, meQuery } from '../../api/session.ts'
import { useT, useWrittenLocale } from '../../lib/i18n.ts'
import type { ShortcutPart } from '../../lib/keys/shortcuts.ts'
import { shortcutsEvent } from '../../lib/keys/shortcuts-event.ts'
import { grantForUser } from '../../resource/use-may.ts'
import { Button } from '../../ui/button.tsx'
import { ShortcutRows } from '../shell/shortcut-rows.tsx'
import { type CurrentHelp, useCurrentHelp } from './current-help.ts'
import { HelpText } from './help-text.tsx'
import { type HelpTexts, helpTexts } from './help-texts.ts'

/** Returns whether a user has the permission that a help item describes. */
function isGranted(helpNeed: HelpNeed | undefined, screen: CurrentHelp['screen'], me: CurrentUser): boolean {
  if (helpNeed === undefined) return true
  if (isRoleType(helpNeed)) return rankOfRole(callerRoleOf(me).role) >= rankOfRole(helpNeed)
  return screen === undefined || grantForUser(screen.resource, helpNeed, me) !== false
}

export function HelpContent() {
  const t = useT()
  const texts = use(helpTexts(useWrittenLocale()))
  const help = useCurrentHelp()
  return (
    <div className="grid gap-6">{help ? <HelpTopicSection help={help} texts={texts} /> : <p>{t('guide.none')}</p>}</div>
  )
}

function HelpTopicSection({ help: { topic, name, screen, parts }, texts }: { help: CurrentHelp; texts: HelpTexts }) {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  const address = guideAddress(useWrittenLocale(), topic.key)
  // Users who may not change the records cannot edit cells.
  const isOffered = (shortcutPart: ShortcutPart) =>
    shortcutPart !== 'cells' || (me !== undefined && isGranted('update', screen, me))
  return (
    <>
      <section className="grid gap-2">
        <h3 className="text-xl leading-tight font-semibold">{texts[`${topic.key}.title`] ?? name}</h3>
        <p>
          <HelpText text={texts[`${topic.key}.for`] ?? ''} />
        </p>
      </section>
      <section className="grid gap-3">
        <h4 className="font-semibold">{t('guide.things')}</h4>
        <ol className="grid gap-3.5">
          {topic.pageFacts.map((pageFact, index) => (
            <HelpFactRow key={pageFact.text} helpFact={pageFact} place={index + 1} screen={screen} texts={texts} />
          ))}
        </ol>
        {address === undefined ? null : (
          <a
            href={address}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex min-h-6 items-center gap-1.5 justify-self-start font-semibold text-brand-text underline-offset-[3px] hover:underline pointer-coarse:min-h-11"
          >
            <BookOpen size={17} aria-hidden className="shrink-0" />
            {t('guide.more')}
          </a>
        )}
      </section>
      <section className="grid gap-4">
        <h4 className="font-semibold">{t('guide.keys')}</h4>
        <div className="grid gap-4 text-sm">
          {[...parts.filter(isOffered), 'everywhere' as const].map((shortcutPart) => (
            <ShortcutRows key={shortcutPart} part={shortcutPart} />
          ))}
        </div>
        <Button
          kind="quiet"
          className="justify-self-start"
          icon={<Keyboard size={17} aria-hidden />}
          onClick={() => window.dispatchEvent(new Event(shortcutsEvent))}
        >
          {t('guide.allKeys')}
        </Button>
      </section>
    </>
  )
}

interface HelpFactProps {
  helpFact: HelpFact
  place: number
  screen: CurrentHelp['screen']
  texts: HelpTexts
}

function HelpFactRow({ helpFact: { text, requirement: factNeed }, place, screen, texts }: HelpFactProps) {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  const isDenied = me !== undefined && !isGranted(factNeed, screen, me)
  const role = factNeed && lowestAllowedRole(factNeed, screen?.resource)
  return (
    <li className="flex gap-3">
      <span
        aria-hidden
        className="grid size-6 shrink-0 place-items-center rounded-full bg-sunken text-sm font-semibold tabular-nums"
      >
        {place}
      </span>
      <div className="min-w-0">
        <p>
          <HelpText text={texts[text] ?? ''} />
        </p>
        {isDenied ? (
          <p className="mt-1 flex gap-1.5 text-sm text-muted">
            <Lock size={14} aria-hidden className="mt-[3px] shrink-0" />
            {role === undefined
              ? t('guide.needsNobody')
              : t('guide.needs', { role: t(role === 'consultant' ? 'role.consultant' : `roles.values.type.${role}`) })}
          </p>
        ) : null}
      </div>
    </li>
  )
}
