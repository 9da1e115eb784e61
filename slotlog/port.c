#include "port.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define SILENT_MS 1000

static const struct {
    unsigned baud;
    speed_t speed;
} speeds[] = {
    {1200, B1200},       {2400, B2400},       {4800, B4800},       {9600, B9600},
    {19200, B19200},     {38400, B38400},     {57600, B57600},     {115200, B115200},
    {230400, B230400},   {460800, B460800},   {500000, B500000},   {576000, B576000},
    {921600, B921600},   {1000000, B1000000}, {1500000, B1500000}, {2000000, B2000000},
    {3000000, B3000000}, {4000000, B4000000},
};

static bool find_speed(unsigned baud, speed_t *speed)
{
    for (size_t i = 0; i < sizeof(speeds) / sizeof(*speeds); i++)
        if (speeds[i].baud == baud) {
            *speed = speeds[i].speed;
            return true;
        }
    return false;
}

static bool set_up_terminal(struct port *port, const char **why)
{
    struct termios settings;
    speed_t speed;

    if (!find_speed(port->baud, &speed)) {
        *why = "no serial device has the rate of --baud, expected one such as 115200";
        return false;
    }
    if (flock(port->descriptor, LOCK_EX | LOCK_NB) != 0) {
        *why = "another program captures it";
        return false;
    }
    if (tcgetattr(port->descriptor, &port->before) != 0)
        return false;
    settings = port->before;
    cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD;
    settings.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
    cfsetispeed(&settings, speed);
    cfsetospeed(&settings, speed);
    if (tcsetattr(port->descriptor, TCSANOW, &settings) != 0)
        return false;
    port->restore = true;
    return true;
}

static int connect_to(const struct addrinfo *addresses)
{
    int descriptor = -1;

    for (; addresses != NULL && descriptor < 0; addresses = addresses->ai_next) {
        descriptor = socket(addresses->ai_family, addresses->ai_socktype | SOCK_CLOEXEC,
                            addresses->ai_protocol);
        if (descriptor >= 0 &&
            connect(descriptor, addresses->ai_addr, addresses->ai_addrlen) != 0) {
            const int error = errno;

            close(descriptor);
            errno = error;
            descriptor = -1;
        }
    }
    return descriptor;
}

/* getaddrinfo takes larger numbers and cuts them off. The name of a service is no number. */
static bool is_port(const char *text)
{
    char *end;
    const unsigned long number = strtoul(text, &end, 10);

    return *end != 0 || (number >= 1 && number <= 65535);
}

/* HOST:PORT; an IPv6 address in brackets. */
static bool open_connection(struct port *port, const char *where, const char **why)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    const char *colon = strrchr(where, ':');
    struct addrinfo *addresses;
    char host[256];
    int error;

    if (colon == NULL || colon == where || colon[1] == 0) {
        *why = "expected tcp:HOST:PORT";
        return false;
    }
    if (!is_port(colon + 1)) {
        *why = "expected a port of 1..65535";
        return false;
    }
    if (where[0] == '[' && colon[-1] == ']')
        snprintf(host, sizeof(host), "%.*s", (int)(colon - where - 2), where + 1);
    else
        snprintf(host, sizeof(host), "%.*s", (int)(colon - where), where);
    error = getaddrinfo(host, colon + 1, &hints, &addresses);
    if (error != 0) {
        *why = gai_strerror(error);
        return false;
    }
    port->descriptor = connect_to(addresses);
    freeaddrinfo(addresses);
    return port->descriptor >= 0;
}

static bool open_file(struct port *port, const char **why)
{
    struct stat status;

    port->descriptor = open(port->name, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (port->descriptor < 0 || fstat(port->descriptor, &status) != 0)
        return false;
    if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (!isatty(port->descriptor))
        return true;
    port->comes_back = true;
    return set_up_terminal(port, why);
}

bool port_open(struct port *port, const char **why)
{
    bool opened = true;

    *why = NULL;
    port->descriptor = -1;
    port->restore = false;
    if (strcmp(port->name, "-") == 0) {
        port->descriptor = STDIN_FILENO;
    } else if (strncmp(port->name, "tcp:", 4) == 0) {
        port->comes_back = true;
        opened = open_connection(port, port->name + 4, why);
    } else {
        opened = open_file(port, why);
    }
    if (!opened) {
        const int error = errno;

        port_close(port);
        errno = error;
    }
    return opened;
}

enum port_event port_read(struct port *port, char *bytes, size_t size, size_t *got)
{
    struct pollfd poller = {.fd = port->descriptor, .events = POLLIN};
    ssize_t length;

    *got = 0;
    if (poll(&poller, 1, SILENT_MS) <= 0)
        return PORT_SILENT;
    length = read(port->descriptor, bytes, size);
    if (length > 0) {
        *got = (size_t)length;
        return PORT_BYTES;
    }
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return PORT_SILENT;
    return port->comes_back ? PORT_GONE : PORT_ENDED;
}

void port_close(struct port *port)
{
    if (port->restore)
        tcsetattr(port->descriptor, TCSANOW, &port->before);
    if (port->descriptor > STDIN_FILENO)
        close(port->descriptor);
    port->descriptor = -1;
    port->restore = false;
}
