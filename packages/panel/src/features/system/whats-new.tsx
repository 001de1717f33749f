/** The changes of the running version: a button in its part of the System page, and the list in a dialog. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { LoadedPart } from '../../resource/part.tsx'
import { Button } from '../../ui/button.tsx'
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { PartButton } from './part-button.tsx'
import { changesQuery } from './queries.ts'

export function WhatsNew() {
  const t = useT()
  const [isOpen, setIsOpen] = useState(false)
  const query = useQuery({ ...changesQuery, enabled: isOpen })
  const { version, day } = query.data ?? {}
  const versionText = version ? [version, formatDate(day)].filter((text) => text !== '').join(', ') : ''
  return (
    <>
      <PartButton onClick={() => setIsOpen(true)}>{t('system.changes.open')}</PartButton>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        isWide
        title={version ? t('system.changes.title', { version: versionText }) : t('system.changes.open')}
        actions={<Button onClick={() => setIsOpen(false)}>{t('action.close')}</Button>}
      >
        <LoadedPart query={query} rows={6}>
          {({ sections }) =>
            sections.length === 0 ? (
              <p className="text-muted">{t('system.changes.none')}</p>
            ) : (
              <ScrollRegion
                aria-label={t('system.changes.open')}
                className="max-h-[min(60dvh,36rem)] overflow-y-auto max-md:max-h-[calc(100dvh-12rem)] border-y border-line py-3 pe-2"
              >
                {sections.map(({ kind, entries }) => (
                  <section key={kind} className="mb-4 last:mb-0">
                    <h3 className="mb-1.5 font-semibold">{t(`system.changes.kinds.${kind}`)}</h3>
                    <ul lang="en" dir="ltr" className="list-disc space-y-1.5 ps-5 text-sm">
                      {entries.map((entry) => (
                        <li key={entry} className="wrap-anywhere">
                          {entry}
                        </li>
                      ))}
                    </ul>
                  </section>
                ))}
              </ScrollRegion>
            )
          }
        </LoadedPart>
      </Dialog>
    </>
  )
}
