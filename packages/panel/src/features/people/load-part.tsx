/** Open work of a consultant, in figures. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { LoadedPart, Part } from '../../resource/part.tsx'
import { AnsweredBar } from './answered-bar.tsx'
import { loadQuery } from './load.ts'

export function LoadPart({ id }: { id: number }) {
  const t = useT()
  const locale = useLocale()
  const query = useQuery(loadQuery(id))
  return (
    <Part title={t('people.load.title')}>
      <LoadedPart query={query} rows={4}>
        {(load) =>
          load === null || load.all + load.rooms === 0 ? (
            <p className="text-muted">{t('people.load.none')}</p>
          ) : (
            <>
              <p className="text-3xl leading-none font-light tabular-nums">{formatNumber(locale, load.open)}</p>
              <p className="mt-1 text-muted">{t('people.load.open')}</p>
              <dl className="mt-4 grid gap-2.5 border-t border-line pt-4">
                <Row label={t('people.load.waiting')}>{formatNumber(locale, load.waiting)}</Row>
                <Row label={t('people.load.answered')}>
                  <AnsweredBar answered={load.answered} all={load.all} />
                </Row>
                <Row label={t('status.finished')}>{formatNumber(locale, load.finished)}</Row>
                <Row label={t('chatrooms.many')}>{formatNumber(locale, load.rooms)}</Row>
              </dl>
            </>
          )
        }
      </LoadedPart>
    </Part>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-3">
      <dt className="text-muted">{label}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  )
}
