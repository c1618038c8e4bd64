create table members (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  public_id text not null unique check (length(public_id) >= 20),
  referral_code text not null unique,
  family_id text not null,
  email text not null check (length(email) <= 254),
  first_name text not null check (length(first_name) <= 20),
  last_name text not null check (length(last_name) <= 20),
  phone_number text check (phone_number ~ '^\d{10}$'),
  sms_opt_in boolean not null default false,
  email_opt_in boolean not null default false,
  address1 text not null default '' check (length(address1) <= 30),
  address2 text not null default '' check (length(address2) <= 30),
  city text not null default '' check (length(city) <= 20),
  state text not null default '' check (state ~ '^([A-Z]{2})?$'),
  zip_code text not null check (zip_code ~ '^(\d{5})?$'),
  partner_number text,
  tier_level text not null default 'OptedOut'
    check (tier_level in ('OptedOut', 'NonActivated', 'OptedIn', 'VIP')),
  member_type text not null default 'NonCardMember'
    check (member_type in ('ClosedAccountMember', 'EnrolledCardMember', 'NonCardMember')),
  has_web_profile boolean not null default true,
  active boolean not null default true,
  enrollment_source text,
  marketing jsonb not null default '{}',
  must_fix_credentials boolean not null default false,
  joined_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (not sms_opt_in or phone_number is not null),
  unique (partner_id, id)
);
create unique index members_email_once on members (partner_id, lower(email));
create unique index members_partner_number_once on members (partner_id, partner_number) where partner_number is not null;
call build_wall('members');
grant select, insert, update on members to dineback_app;

create table credentials (
  member_id bigint primary key,
  partner_id text not null,
  password_hash text not null,
  updated_at timestamptz not null default now(),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
call build_wall('credentials');
grant select, insert, update on credentials to dineback_app;

-- Who a member is at the partner's own identity provider.
create table identities (
  partner_id text not null,
  issuer text not null,
  subject text not null,
  member_id bigint not null,
  linked_at timestamptz not null default now(),
  primary key (partner_id, issuer, subject),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
call build_wall('identities');
grant select, insert on identities to dineback_app;

-- What was agreed to, word for word; never changed afterwards.
create table consents (
  id bigint generated always as identity primary key,
  partner_id text not null,
  member_id bigint not null,
  channel text not null check (channel in ('email', 'sms', 'card', 'terms')),
  topic text not null,
  granted boolean not null,
  wording text not null,
  wording_version text not null,
  source text not null,
  given_at timestamptz not null default now(),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create index consents_by_member on consents (member_id, channel, topic, given_at desc);
call build_wall('consents');
grant select, insert on consents to dineback_app;

create table sessions (
  id_hash bytea primary key check (length(id_hash) = 32),
  partner_id text not null references partners,
  member_id bigint,
  csrf_token text not null,
  remembered boolean not null default false,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create index sessions_by_member on sessions (member_id) where member_id is not null;
create index sessions_by_expiry on sessions (expires_at);
call build_wall('sessions');
grant select, insert, update, delete on sessions to dineback_app;

-- Keyed by a keyed hash of what was typed, so that known and unknown names behave alike.
create table login_failures (
  partner_id text not null references partners,
  name_hash bytea not null,
  failures int not null default 0,
  first_failure_at timestamptz not null default now(),
  locked_until timestamptz,
  primary key (partner_id, name_hash)
);
call build_wall('login_failures');
grant select, insert, update, delete on login_failures to dineback_app;

-- A sign-in at the identity provider that is under way; used once.
create table sso_attempts (
  state_hash bytea primary key,
  partner_id text not null references partners,
  session_id_hash bytea not null,
  nonce text not null,
  code_verifier text not null,
  return_to text not null,
  expires_at timestamptz not null
);
call build_wall('sso_attempts');
grant select, insert, delete on sso_attempts to dineback_app;
