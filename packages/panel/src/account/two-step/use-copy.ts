/** Copies a text to the clipboard and shows a toast. */
import { useT } from '../../lib/i18n.ts'
import { showToast } from '../../ui/feedback/toast.ts'

export function useCopy(): (text: string) => Promise<void> {
  const t = useT()
  return async (text) => {
    try {
      await navigator.clipboard.writeText(text)
      showToast({ kind: 'success', title: t('message.copied') })
    } catch {
      // Browsers block the clipboard on pages without https.
      showToast({ kind: 'error', title: t('account.notCopied') })
    }
  }
}
