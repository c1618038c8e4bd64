-- Feature flags, switched at run time.
create table feature_flags (
  partner_id text not null references partners,
  kind text not null check (kind in ('authFlags', 'filters', 'partnerFeatureFlags')),
  name text not null,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (partner_id, kind, name)
);
call enable_tenant_isolation('feature_flags');
grant select, insert, update, delete on feature_flags to dineback_app;

create function notify_flags_changed() returns trigger
  language plpgsql as $$
begin
  perform pg_notify('flags_changed', coalesce(new.partner_id, old.partner_id));
  return null;
end
$$;
create trigger notify_changed after insert or update or delete on feature_flags
  for each row execute function notify_flags_changed();

-- Every saved version of an entry. Versions never change. A version newer than the last released one is the entry's
-- draft. `fields` is null in a version that removes the entry.
create table content_versions (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  collection text not null check (length(collection) between 1 and 60),
  slug text not null check (slug ~ '^[a-z0-9][a-z0-9_-]{0,79}$'),
  version int not null check (version > 0),
  -- Sort order within the collection.
  position int not null default 0,
  fields jsonb,
  saved_by text not null check (length(saved_by) between 1 and 120),
  saved_at timestamptz not null default now(),
  unique (partner_id, collection, slug, version)
);
call enable_tenant_isolation('content_versions');

-- Releases determine the live version: of the releases whose period includes now, the one that started last. When it
-- ends, the one before it is live again.
create table content_releases (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  version_id bigint not null references content_versions,
  live_from timestamptz not null default now(),
  live_until timestamptz check (live_until > live_from),
  released_by text not null check (length(released_by) between 1 and 120),
  released_at timestamptz not null default now(),
  withdrawn_by text,
  withdrawn_at timestamptz,
  check ((withdrawn_by is null) = (withdrawn_at is null))
);
create index content_releases_by_version on content_releases (version_id);
call enable_tenant_isolation('content_releases');

-- Versions are never changed or deleted. A release can only be withdrawn.
grant select, insert on content_versions, content_releases to dineback_app;
grant update (withdrawn_by, withdrawn_at) on content_releases to dineback_app;

-- Notifies every process, when the transaction commits, that a partner's content has changed.
create function notify_content_changed() returns trigger
  language plpgsql as $$
begin
  perform pg_notify('content_changed', new.partner_id);
  return null;
end
$$;
create trigger notify_changed after insert on content_versions
  for each row execute function notify_content_changed();
create trigger notify_changed after insert or update on content_releases
  for each row execute function notify_content_changed();

-- People who left an email address on a front page to be reminded to join, with their marketing parameters.
create table prospects (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  email text not null check (length(email) between 3 and 50),
  marketing jsonb not null default '{}',
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);
create unique index prospects_by_email on prospects (partner_id, lower(email));
call enable_tenant_isolation('prospects');
grant select, insert, update, delete on prospects to dineback_app;

-- Page views and impressions. Each month is a partition, so that an expired month is dropped as a whole.
create table impressions (
  id bigint generated always as identity,
  partner_id text not null references partners,
  received_at timestamptz not null default now(),
  -- By the visitor's clock; informational only.
  happened_at timestamptz not null,
  event_name text not null check (length(event_name) between 1 and 40),
  -- From the session, never from the event.
  member_id bigint,
  merchant_id text check (length(merchant_id) <= 120),
  url text not null check (length(url) <= 300),
  user_agent text not null check (length(user_agent) <= 200),
  primary key (received_at, id)
) partition by range (received_at);
call enable_tenant_isolation('impressions');
grant select, insert, delete on impressions to dineback_app;

-- Creates the partitions of the current and the next two months, and drops those older than `retain_months`. Returns
-- the number of dropped partitions. The application cannot create or drop tables itself.
create function rotate_impression_partitions(retain_months int) returns int
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  month date;
  part text;
  dropped int := 0;
begin
  if retain_months < 1 then raise exception 'retain_months must be a positive number of months'; end if;
  perform pg_advisory_xact_lock(hashtextextended('rotate_impression_partitions', 0));
  for month in
    select generate_series(date_trunc('month', now()), date_trunc('month', now()) + interval '2 months', '1 month')::date
  loop
    part := 'impressions_' || to_char(month, 'YYYY_MM');
    if to_regclass(part) is null then
      execute format('create table %I partition of impressions for values from (%L) to (%L)',
        part, month, (month + interval '1 month')::date);
      execute format('call enable_tenant_isolation(%L)', part);
    end if;
  end loop;
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'impressions'::regclass
      and c.relname < 'impressions_' || to_char(now() - make_interval(months => retain_months), 'YYYY_MM')
  loop
    execute format('drop table %I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;
revoke execute on function rotate_impression_partitions from public;
grant execute on function rotate_impression_partitions to dineback_app;
select rotate_impression_partitions(13);
