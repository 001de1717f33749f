/**
 * Sets up two-step sign-in: the password, the code to scan, the recovery codes and the first code of the app.
 */
import type { TwoStepSetup as Setup } from '@dala/model'
import { useQueryClient } from '@tanstack/react-query'
import Copy from 'lucide-react/icons/copy'
import { type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react'
import type { CurrentUser } from '../../api/session.ts'
import { splitSecret } from './groups.ts'
import { useT } from '../../lib/i18n.ts'
import { CredentialsForm } from '../credentials/credentials-form.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { codeField, passwordField, refusedAt } from '../security/fields.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { beginSetup, confirmSetup } from './two-step.ts'
import { useCopy } from './use-copy.ts'
import { lazyPart } from '../../ui/lazy-part.ts'

const QrCode = lazyPart(async () => (await import('./qr-code.tsx')).QrCode)

interface TwoStepSetupProps {
  me: CurrentUser
  onCancel: () => void
  /** Called when the user has turned two-step sign-in on. */
  onDone: () => void
}

export function TwoStepSetup({ me, onCancel, onDone }: TwoStepSetupProps) {
  const t = useT()
  const [setup, setSetup] = useState<Setup | null>(null)
  const cancel = <Button onClick={onCancel}>{t('action.cancel')}</Button>
  if (setup) return <SetupSteps setup={setup} cancel={cancel} onDone={onDone} />
  return (
    <div className="grid gap-4">
      <p className="max-w-[60ch] text-muted">{t('account.twoStep.begin')}</p>
      <CredentialsForm
        isCompact
        inPlace
        username={me.username}
        fields={[passwordField]}
        initialFocus="password"
        fieldByError={{ 'auth.current-password': 'password' }}
        submitLabel={t('action.next')}
        sideContent={cancel}
        onSubmit={async ({ password }) => setSetup(await beginSetup(password))}
      />
    </div>
  )
}

function SetupSteps({ setup, cancel, onDone }: { setup: Setup; cancel: ReactNode; onDone: () => void }) {
  const t = useT()
  const cache = useQueryClient()
  const copy = useCopy()
  const [isStored, setStored] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const firstHeading = useRef<HTMLHeadingElement>(null)
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => firstHeading.current?.focus(), [])
  return (
    <ol className="grid gap-7">
      <Step number={1} title={t('account.twoStep.scan')} heading={firstHeading}>
        <p className="max-w-[60ch] text-muted">{t('account.twoStep.scanText')}</p>
        <div className="flex flex-wrap items-start gap-5">
          <Suspense fallback={<Skeleton className="size-46" />}>
            <QrCode text={setup.uri} label={t('account.twoStep.qr')} />
          </Suspense>
          <div className="grid min-w-0 justify-items-start gap-2">
            <p className="text-sm text-muted">{t('account.twoStep.secret')}</p>
            <p className="max-w-[24ch] font-[family-name:ui-monospace,monospace] break-words">
              <bdi dir="ltr">{splitSecret(setup.secret)}</bdi>
            </p>
            <Button icon={<Copy size={16} aria-hidden />} onClick={() => void copy(setup.secret)}>
              {t('account.twoStep.copySecret')}
            </Button>
          </div>
        </div>
      </Step>
      <Step number={2} title={t('account.twoStep.putAway')}>
        <p className="max-w-[60ch] text-muted">{t('account.recovery.text')}</p>
        <RecoveryCodes
          codes={setup.recovery}
          isStored={isStored}
          isMissing={isMissing}
          box={box}
          onStored={(hasStored) => {
            setStored(hasStored)
            if (hasStored) setMissing(false)
          }}
        />
      </Step>
      <Step number={3} title={t('account.twoStep.first')}>
        <CredentialsForm
          isCompact
          inPlace
          fields={[codeField(t, false)]}
          fieldByError={{ 'auth.two-step-code': refusedAt['auth.two-step-code'] }}
          submitLabel={t('account.twoStep.turnOn')}
          sideContent={cancel}
          onSubmit={async ({ code }) => {
            setMissing(!isStored)
            if (!isStored) return box.current?.focus()
            await confirmSetup(code)
            showToast({ kind: 'success', title: t('account.twoStep.turnedOn') })
            onDone()
            // Calls that were refused for lack of a second step are repeated.
            await cache.invalidateQueries()
          }}
        />
      </Step>
    </ol>
  )
}

interface StepProps {
  number: number
  title: string
  heading?: React.Ref<HTMLHeadingElement>
  children: ReactNode
}

function Step({ number, title, heading, children }: StepProps) {
  const id = useId()
  return (
    <li aria-labelledby={id} className="grid gap-3.5">
      <h3 id={id} ref={heading} tabIndex={-1} className="flex items-center gap-2.5 text-md font-semibold outline-0">
        <span
          aria-hidden
          className="grid size-7 shrink-0 place-items-center rounded-full bg-brand-soft text-sm text-on-brand-soft tabular-nums"
        >
          {number}
        </span>
        {title}
      </h3>
      {children}
    </li>
  )
}
