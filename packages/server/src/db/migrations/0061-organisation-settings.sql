-- rolling-update: yes
-- 0061-organisation-settings: settings that an owner has changed in the panel.

-- A row without a value has returned to its default; it stays, because the versions of all rows together are the
-- version of the settings.
create table organisation_settings (
  key varchar(63) primary key,
  value jsonb,
  version integer not null default 1
);

alter table "audit" drop constraint "audit_action_check";
alter table "audit" add constraint "audit_action_check" check ("action" in ('record.create', 'record.update', 'record.remove', 'record.restore', 'sign-in', 'sign-in.failed', 'sign-in.throttled', 'sign-out', 'register', 'password.forgot', 'password.refused', 'password.reset', 'password.change', 'email.change', 'two-step.on', 'two-step.off', 'two-step.refused', 'two-step.recovery', 'two-step.reset', 'session.end', 'sessions.end', 'user.invite', 'user.block', 'user.unblock', 'user.password-letter', 'access.denied', 'export', 'report.export', 'report.share', 'report.withdraw', 'report.schedule', 'report.unschedule', 'backup.take', 'backup.prove', 'organisation.change'));
