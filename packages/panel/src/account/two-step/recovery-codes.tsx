/** Recovery codes for a lost app: to be copied, downloaded or printed, because they are shown only once. */
import Copy from 'lucide-react/icons/copy'
import Download from 'lucide-react/icons/download'
import Printer from 'lucide-react/icons/printer'
import { type Ref, useId } from 'react'
import { useT } from '../../lib/i18n.ts'
import { saveFile } from '../../resource/list/file.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/inputs/field.tsx'
import { useCopy } from './use-copy.ts'
import './print.css'

interface RecoveryCodesProps {
  codes: readonly string[]
  /** Whether the user has confirmed that the recovery codes are stored. */
  isStored: boolean
  onStored: (isStored: boolean) => void
  /** Whether the user has tried to continue without confirming that the recovery codes are stored. */
  isMissing?: boolean
  /** Checkbox that confirms the stored codes. */
  box?: Ref<HTMLInputElement>
  /** List of recovery codes, which takes the focus when it replaces a form. */
  list?: Ref<HTMLUListElement>
}

export function RecoveryCodes({ codes, isStored, onStored, isMissing = false, box, list }: RecoveryCodesProps) {
  const t = useT()
  const error = useId()
  const copy = useCopy()
  const text = [t('account.recovery.title'), window.location.host, '', ...codes, ''].join('\r\n')
  return (
    <div className="grid gap-3.5">
      <div className="print-sheet grid gap-2">
        <p className="hidden font-semibold print:block">
          {t('account.recovery.title')} · <bdi dir="ltr">{window.location.host}</bdi>
        </p>
        <ul
          ref={list}
          tabIndex={-1}
          aria-label={t('account.recovery.title')}
          className="grid gap-x-6 gap-y-1.5 rounded-2 bg-sunken px-4 py-3.5 font-[family-name:ui-monospace,monospace] text-sm outline-0 md:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>
              <bdi dir="ltr">{code}</bdi>
            </li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button icon={<Copy size={16} aria-hidden />} onClick={() => void copy(codes.join('\n'))}>
          {t('action.copy')}
        </Button>
        <Button
          icon={<Download size={16} aria-hidden />}
          onClick={() =>
            saveFile({ content: new Blob([text], { type: 'text/plain' }), name: 'dala-recovery-codes.txt' })
          }
        >
          {t('action.download')}
        </Button>
        <Button icon={<Printer size={16} aria-hidden />} onClick={() => window.print()}>
          {t('action.print')}
        </Button>
      </div>
      <label className="flex items-start gap-2.5 max-md:min-h-11 max-md:items-center">
        <input
          ref={box}
          type="checkbox"
          aria-invalid={isMissing || undefined}
          aria-describedby={isMissing ? error : undefined}
          checked={isStored}
          onChange={(event) => onStored(event.target.checked)}
          className="check mt-px shrink-0"
        />
        {t('account.recovery.kept')}
      </label>
      <div id={error} role="alert" className="empty:hidden">
        {isMissing ? <FieldError>{t('account.recovery.missing')}</FieldError> : null}
      </div>
    </div>
  )
}
