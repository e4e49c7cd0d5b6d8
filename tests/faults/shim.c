/* Stands between a program and the C library, counts the file operations on one folder, and harms one.
 *
 * Loaded with LD_PRELOAD. An operation counts when its path, or the path its descriptor was opened on, is
 * FAULT_STORE or inside it; so does a write to stdout, the answer. `harness.py` sets the environment:
 *
 *   FAULT_STORE   the folder, absolute and without links
 *   FAULT_LOG     a file outside of it, to which every operation is appended (see `record`)
 *   FAULT_AT      the operation to harm, counted from 1; without it all are let through
 *   FAULT_DO      kill   SIGKILL before it          tear   write half of its bytes, then SIGKILL
 *                 raise  signal FAULT_NUMBER first  short  write half of its bytes, and say so
 *                 fail   it fails with errno FAULT_NUMBER, and so do later ones named in FAULT_KINDS
 *                 take   delete the file FAULT_PATH first, as another program may
 *                 unlock every flock unlocks and reports success
 *   FAULT_KINDS   ",write,fsync,": names of operations between commas
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h> /* flock */
#include <sys/stat.h>
#include <unistd.h>

#define DESCRIPTORS 1024
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
static const char *store, *todo = "", *kinds = "", *taken = "";
static size_t store_length;
static int log_file = -1, fault_at, fault_number, count;
static char *opened[DESCRIPTORS]; /* the path each descriptor was opened on, where it is ours */

__attribute__((constructor)) static void start(void) {
    if (!(store = getenv("FAULT_STORE"))) return;
    store_length = strlen(store);
    int low = REAL(open64)(getenv("FAULT_LOG"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    log_file = fcntl(low, F_DUPFD_CLOEXEC, DESCRIPTORS / 2); /* the program's own numbers stay as they are */
    REAL(close)(low);
    if (getenv("FAULT_AT")) fault_at = atoi(getenv("FAULT_AT"));
    if (getenv("FAULT_DO")) todo = getenv("FAULT_DO");
    if (getenv("FAULT_NUMBER")) fault_number = atoi(getenv("FAULT_NUMBER"));
    if (getenv("FAULT_KINDS")) kinds = getenv("FAULT_KINDS");
    if (getenv("FAULT_PATH")) taken = getenv("FAULT_PATH");
}

static const char *ours_open(int fd) { return store && fd >= 0 && fd < DESCRIPTORS ? opened[fd] : NULL; }

/* The absolute form of a path, in a buffer that the next-but-one call uses again; NULL if it is not ours. */
static const char *ours(int folder, const char *path) {
    static char buffers[2][PATH_MAX];
    static int turn;
    if (!store || !path) return NULL;
    char *absolute = buffers[turn = !turn], here[PATH_MAX];
    const char *base = folder == AT_FDCWD ? getcwd(here, sizeof here) : ours_open(folder);
    if (path[0] == '/') snprintf(absolute, PATH_MAX, "%s", path);
    else if (!base || snprintf(absolute, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) return NULL;
    char next = strncmp(absolute, store, store_length) ? 'x' : absolute[store_length];
    return next == '\0' || next == '/' ? absolute : NULL;
}

/* One line: what ("op" or "fault"), number, name, path, other path, descriptor, result, size of the data;
 * then the data itself. Tabs between, a newline after each. */
static void record(const char *what, const char *name, const char *path, const char *other, int fd,
                   long result, const void *data, size_t size) {
    int before = errno; /* the program must not see ours */
    dprintf(log_file, "%s\t%d\t%s\t%s\t%s\t%d\t%ld\t%zu\n", what, count, name, path, other, fd, result, size);
    if (size && REAL(write)(log_file, data, size) != (ssize_t)size) abort();
    if (size && REAL(write)(log_file, "\n", 1) != 1) abort();
    errno = before;
}

static int is_listed(const char *name) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, ",%s,", name);
    return strstr(kinds, wanted) != NULL;
}

/* Count an operation and harm it if it is its turn. True: it must fail, errno says how. */
static int harmed(const char *name, const char *path, const char *other, int fd) {
    count++;
    int fails = !strcmp(todo, "fail");
    if (!fault_at || count < fault_at || (count > fault_at && !(fails && is_listed(name)))) return 0;
    record("fault", name, path, other, fd, -1, NULL, 0);
    if (!strcmp(todo, "kill")) raise(SIGKILL);
    if (!strcmp(todo, "raise")) raise(fault_number);
    int before = errno;
    if (!strcmp(todo, "take")) REAL(unlink)(taken);
    errno = before;
    if (fails) errno = fault_number;
    return fails;
}

static int open_ours(int folder, const char *given, int flags, mode_t mode) {
    const char *path = ours(folder, given);
    if (!path) return REAL(openat64)(folder, given, flags, mode);
    int may_write = flags & O_CREAT || (flags & O_ACCMODE) != O_RDONLY;
    const char *name = flags & O_TRUNC ? "truncate" : may_write ? "create" : "open";
    if (harmed(name, path, "", -1)) return -1;
    int fd = REAL(openat64)(folder, given, flags, mode);
    if (fd >= 0 && fd < DESCRIPTORS) opened[fd] = strdup(path);
    record("op", name, path, "", fd, fd, NULL, 0);
    return fd;
}

#define OPEN(name, parameters, folder)                                    \
    int name parameters {                                                 \
        mode_t mode = 0;                                                  \
        if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {        \
            va_list rest;                                                 \
            va_start(rest, flags), mode = va_arg(rest, mode_t);           \
            va_end(rest);                                                 \
        }                                                                 \
        return open_ours(folder, path, flags, mode);                      \
    }
OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int folder, const char *path, int flags, ...), folder)
OPEN(openat64, (int folder, const char *path, int flags, ...), folder)

DIR *opendir(const char *given) {
    const char *path = ours(AT_FDCWD, given);
    if (path && harmed("list", path, "", -1)) return NULL;
    DIR *listed = REAL(opendir)(given);
    if (path) record("op", "list", path, "", -1, listed ? 0 : -1, NULL, 0);
    return listed;
}

/* A write, of which `tear` and `short` do only the first half. */
#define WRITE(function, parameters, ...)                                                   \
    ssize_t function parameters {                                                          \
        const char *path = ours_open(fd);                                                  \
        if (store && fd == STDOUT_FILENO) path = "answer";                                 \
        if (!path) return REAL(function)(fd, data, size __VA_OPT__(,) __VA_ARGS__);        \
        const char *name = fd == STDOUT_FILENO ? "answer" : "write";                       \
        if (harmed(name, path, "", fd)) return -1;                                         \
        int half = count == fault_at && (!strcmp(todo, "tear") || !strcmp(todo, "short")); \
        if (half) size /= 2;                                                               \
        ssize_t done = REAL(function)(fd, data, size __VA_OPT__(,) __VA_ARGS__);           \
        record("op", name, path, "", fd, done, data, done > 0 ? (size_t)done : 0);         \
        if (half && !strcmp(todo, "tear")) raise(SIGKILL);                                 \
        return done;                                                                       \
    }
WRITE(write, (int fd, const void *data, size_t size))
WRITE(pwrite64, (int fd, const void *data, size_t size, off64_t offset), offset)

/* What is done to a descriptor. */
#define TO_OPEN(type, function, parameters, ...)                              \
    type function parameters {                                                \
        const char *path = ours_open(fd);                                     \
        if (path && harmed(#function, path, "", fd)) return -1;               \
        type result = REAL(function)(fd __VA_OPT__(,) __VA_ARGS__);           \
        if (path) record("op", #function, path, "", fd, result, NULL, 0);     \
        return result;                                                        \
    }
TO_OPEN(ssize_t, read, (int fd, void *data, size_t size), data, size)
TO_OPEN(int, fsync, (int fd))
TO_OPEN(int, flock, (int fd, int how), strcmp(todo, "unlock") ? how : LOCK_UN)
TO_OPEN(int, fchmod, (int fd, mode_t mode), mode)
TO_OPEN(int, ftruncate64, (int fd, off64_t size), size)
TO_OPEN(int, fstat64, (int fd, struct stat64 *found), found)

int close(int fd) { /* a close that fails has closed all the same, as on Linux */
    const char *path = ours_open(fd);
    int fails = path && harmed("close", path, "", fd), why = errno;
    int result = REAL(close)(fd);
    if (!path) return result;
    if (fails) result = -1, errno = why;
    record("op", "close", path, "", fd, result, NULL, 0);
    opened[fd] = NULL;
    return result;
}

/* What is done to one or two names; the second is NULL where there is only one. */
#define TO_NAMES(function, name, parameters, from, a, to, b, ...)             \
    int function parameters {                                                 \
        const char *path = ours(from, a), *other = ours(to, b);               \
        const char *shown = path ? path : "", *second = other ? other : "";   \
        if (!path && !other) return REAL(function)(__VA_ARGS__);              \
        if (harmed(name, shown, second, -1)) return -1;                       \
        int result = REAL(function)(__VA_ARGS__);                             \
        record("op", name, shown, second, -1, result, NULL, 0);               \
        return result;                                                        \
    }
#define TO_NAME(function, name, parameters, folder, path, ...) \
    TO_NAMES(function, name, parameters, folder, path, folder, NULL, __VA_ARGS__)
#define HERE AT_FDCWD
TO_NAMES(rename, "rename", (const char *a, const char *b), HERE, a, HERE, b, a, b)
TO_NAMES(renameat, "rename", (int f, const char *a, int t, const char *b), f, a, t, b, f, a, t, b)
TO_NAMES(link, "link", (const char *a, const char *b), HERE, a, HERE, b, a, b)
TO_NAMES(linkat, "link", (int f, const char *a, int t, const char *b, int how), f, a, t, b, f, a, t, b, how)
TO_NAME(unlink, "unlink", (const char *a), HERE, a, a)
TO_NAME(unlinkat, "unlink", (int f, const char *a, int how), f, a, f, a, how)
TO_NAME(rmdir, "rmdir", (const char *a), HERE, a, a)
TO_NAME(mkdir, "mkdir", (const char *a, mode_t mode), HERE, a, a, mode)
TO_NAME(mkdirat, "mkdir", (int f, const char *a, mode_t mode), f, a, f, a, mode)
TO_NAME(chmod, "chmod", (const char *a, mode_t mode), HERE, a, a, mode)
TO_NAME(fchmodat, "chmod", (int f, const char *a, mode_t mode, int how), f, a, f, a, mode, how)
TO_NAME(utimensat, "utime", (int f, const char *a, const struct timespec t[2], int how), f, a, f, a, t, how)
TO_NAME(stat64, "stat", (const char *a, struct stat64 *found), HERE, a, a, found)
TO_NAME(lstat64, "stat", (const char *a, struct stat64 *found), HERE, a, a, found)
TO_NAME(fstatat64, "stat", (int f, const char *a, struct stat64 *found, int how), f, a, f, a, found, how)
