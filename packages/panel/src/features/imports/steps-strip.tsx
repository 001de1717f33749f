/** Steps of an import, as a progress strip. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import Check from 'lucide-react/icons/check'
import { cx } from '../../lib/class-names.ts'
import { useT } from '../../lib/i18n.ts'

const importSteps = ['file', 'columns', 'preview', 'report'] as const
export type ImportStep = (typeof importSteps)[number]

const gridClass = 'grid grid-cols-[23fr_23fr_32fr_22fr] gap-0.5'
const stepBands = {
  done: 'bg-[color-mix(in_oklch,var(--brand-ui)_62%,var(--surface))]',
  now: 'bg-brand-ui',
  ahead: 'bg-[color-mix(in_oklch,var(--brand-ui)_16%,var(--surface))]',
} as const

export interface StepsStripProps {
  now: ImportStep
  /** Whether the last step of the import is complete too. */
  isFinished?: boolean
  /** Details below the name of each step of an import. */
  details: Readonly<Record<ImportStep, string>>
  /** Steps of the import that the user can return to. */
  open: readonly ImportStep[]
}

export function StepsStrip({ now, isFinished: isOver = false, details, open }: StepsStripProps) {
  const t = useT()
  const currentIndex = importSteps.indexOf(now)
  const stateOf = (index: number) => (index < currentIndex ? 'done' : index === currentIndex ? 'now' : 'ahead')
  return (
    <>
      <div className="md:hidden">
        <div aria-hidden className={cx(gridClass, 'h-[5px]')}>
          {importSteps.map((step, index) => (
            <i key={step} className={stepBands[stateOf(index)]} />
          ))}
        </div>
        <p className="flex items-baseline justify-between gap-3 px-4 pt-3 pb-2.5">
          <b className="font-semibold">
            {t('import.stepOf', { step: currentIndex + 1, steps: importSteps.length, name: t(`import.steps.${now}`) })}
          </b>
          <bdi dir="ltr" className="truncate text-sm text-muted">
            {details.file}
          </bdi>
        </p>
        <nav aria-label={t('import.stepsName')} className="flex flex-wrap gap-x-4 px-4 empty:hidden">
          {open.map((step) => (
            <StepLink
              key={step}
              step={step}
              className="inline-flex min-h-11 items-center font-semibold text-brand-text"
            >
              {t(`import.steps.${step}`)}
            </StepLink>
          ))}
        </nav>
      </div>
      <ol aria-label={t('import.stepsName')} className={cx(gridClass, 'border-b border-line max-md:hidden')}>
        {importSteps.map((step, index) => {
          const state = stateOf(index)
          const isDone = state === 'done' || (isOver && state === 'now')
          const name = (
            <b className={cx('leading-tight', state === 'ahead' ? 'font-medium' : 'font-semibold text-ink')}>
              {t(`import.steps.${step}`)}
            </b>
          )
          return (
            <li
              key={step}
              aria-current={state === 'now' ? 'step' : undefined}
              className="relative grid min-w-0 grid-cols-[auto_minmax(0,1fr)] items-center gap-x-2.5 px-[18px] pt-3.5 pb-[11px] text-muted"
            >
              <i aria-hidden className={cx('absolute inset-x-0 top-0 h-[5px]', stepBands[state])} />
              <span
                aria-hidden
                className={cx(
                  'row-span-2 grid size-[26px] place-items-center rounded-1 border text-sm font-semibold',
                  state === 'now'
                    ? 'border-transparent bg-brand text-on-brand'
                    : state === 'done'
                      ? 'border-transparent bg-brand-soft text-on-brand-soft'
                      : 'border-line-strong',
                )}
              >
                {isDone ? <Check size={15} strokeWidth={2.5} /> : index + 1}
              </span>
              {open.includes(step) ? (
                <StepLink
                  step={step}
                  className="min-h-6 min-w-0 justify-self-start underline-offset-[3px] hover:underline"
                >
                  {name}
                </StepLink>
              ) : (
                name
              )}
              <small className="col-start-2 truncate text-xs">{details[step]}</small>
            </li>
          )
        })}
      </ol>
    </>
  )
}

function StepLink({ step, className, children }: { step: ImportStep; className: string; children: ReactNode }) {
  return (
    <Link to="." search={{ step }} className={className}>
      {children}
    </Link>
  )
}
