-- 0019-audit: the audit as a resource, append-only and chained (decision 21).

alter table audit rename column entry_id to entry;
alter table "audit" add column "version" integer not null default 1;
alter table "audit" add column "updated_at" timestamptz(3) not null default now();
alter table "audit" alter column "action" type varchar(255);
alter table "audit" alter column "details" drop not null;
alter table "audit" add column "seal" integer;
alter table "audit" add column "hash" varchar(64);
alter table "audit" add column "search" text generated always as (coalesce(search_key("resource"), '') || E'\x1f' || coalesce(search_key("address"), '') || E'\x1f' || coalesce(search_key("request_id"), '')) stored;
update audit set updated_at = created_at;
alter table "audit" add constraint "audit_action_check" check ("action" in ('record.create', 'record.update', 'record.remove', 'record.restore', 'sign-in', 'sign-in.failed', 'sign-in.throttled', 'sign-out', 'register', 'password.forgot', 'password.refused', 'password.reset', 'password.change', 'email.change', 'two-step.on', 'two-step.off', 'two-step.refused', 'two-step.recovery', 'two-step.reset', 'session.end', 'sessions.end', 'user.invite', 'user.block', 'user.unblock', 'user.password-letter', 'access.denied', 'export'));
create unique index "audit_seal_key" on "audit" ("seal");
create index "audit_search_idx" on "audit" using gin ("search" gin_trgm_ops);
create index "audit_created_at_order_idx" on "audit" ("created_at", "id");
create index "audit_action_idx" on "audit" ("action");
create index "audit_hash_idx" on "audit" ("hash");
create index "audit_user_id_idx" on "audit" ("user_id");
-- The order's index answers what this one did.
drop index audit_created_at_idx;
-- What waits to be sealed, in the order it is sealed in.
create index audit_unsealed_idx on audit (id) where seal is null;

-- Where the chain begins after its oldest lines had their time: the last of those that went.
create table audit_anchor (
  one boolean primary key default true check (one),
  seal integer not null,
  hash varchar(64) not null,
  moved_at timestamptz(3) not null default now()
);

-- A line is added without a seal, gets one once, and goes only when its time is over.
create function audit_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    -- What is worked out from the row is not there yet.
    if old.seal is null and old.hash is null and new.seal is not null and new.hash is not null
       and to_jsonb(old) - array['seal', 'hash', 'search'] = to_jsonb(new) - array['seal', 'hash', 'search']
    then return new; end if;
  elsif tg_op = 'DELETE' then
    if old.seal is not null and current_setting('dala.audit_expiry', true) = 'on' then return old; end if;
  end if;
  raise exception 'The audit is append-only: % refused', lower(tg_op) using errcode = 'insufficient_privilege';
end $$;
create trigger audit_append_only before update or delete on audit for each row execute function audit_append_only();
create trigger audit_unsealed_first before insert on audit for each row
  when (new.seal is not null or new.hash is not null) execute function audit_append_only();
create trigger audit_no_truncate before truncate on audit execute function audit_append_only();

-- What lines say of records is in their revisions: these stay as they were written.
create function revisions_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'History is append-only: % refused', lower(tg_op) using errcode = 'insufficient_privilege';
end $$;
create trigger revisions_append_only before update or delete on revisions
  for each row execute function revisions_append_only();
create trigger revisions_no_truncate before truncate on revisions execute function revisions_append_only();
