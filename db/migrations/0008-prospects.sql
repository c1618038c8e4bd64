-- Who left an email address on a front page to be reminded of joining: an address once, with what brought them.
create table prospects (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  email text not null check (length(email) between 3 and 50),
  marketing jsonb not null default '{}',
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);
create unique index prospects_by_email on prospects (partner_id, lower(email));
call build_wall('prospects');
grant select, insert, update on prospects to dineback_app;
